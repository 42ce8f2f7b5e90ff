declare module 'seedrandom/lib/tychei.js' {
  interface Prng {
    (): number;
    int32(): number;
  }
  export default function tychei(seed: number): Prng;
}
