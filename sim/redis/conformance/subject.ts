/** What runs sequences: the engine, another engine, a real server. */
import type { Bytes, Reply } from '../keyspace.js';
import type { Step } from './step.js';

/** The server closed the connection. */
export const HUNG_UP = Symbol('hung up');
export type Received = Reply | typeof HUNG_UP;

/** What each connection received in answer to one step, in order: replies and pushes alike. */
export type Outcome = readonly (readonly Received[])[];

export interface Subject {
  readonly name: string;
  /** An empty server, its clock at the start, {@link CONNECTIONS} new connections. */
  reset(): Promise<void> | void;
  run(step: Step): Promise<Outcome> | Outcome;
  /** The client id of each connection. */
  readonly ids: readonly number[];
}

/** The arguments with client ids filled in. */
export function withIds(args: readonly Bytes[], ids: readonly number[]): readonly Bytes[] {
  if (!args.some((arg) => arg.startsWith('{id:'))) return args;
  return args.map((arg) =>
    arg.replace(/^\{id:(\d)\}$/, (whole, n: string) => String(ids[Number(n)] ?? whole)),
  );
}
