declare module '@microfleet/ioredis-lock' {
  /** The part of @microfleet/ioredis-lock@6 that its adapter uses; its own types want those of ioredis. */
  export interface Config {
    readonly timeout: number;
    readonly retries: number;
    readonly delay: number;
    readonly jitter: number;
  }

  export interface Lock {
    acquire(key: string): Promise<Lock>;
    extend(timeMs?: number): Promise<Lock>;
    release(): Promise<Lock>;
  }

  export function createLock(client: unknown, config?: Partial<Config>): Lock;
}
