/** What a cluster client has to bring to a node, however often it is sent elsewhere. */
import type { OperationKind } from '../../history/events.js';
import type { ProcessTimer } from '../../host/timer.js';
import { COMMANDS } from '../../redis/native/commands.js';
import type { Command as EngineCommand } from '../../redis/native/command.js';
import { READS } from '../../redis/native/facts.js';
import { keysOf } from '../../redis/native/key-places.js';
import { slotOf } from '../../redis/cluster/slots.js';
import type { Bytes } from '../../redis/keyspace.js';
import type { Command } from './command.js';
import type { Order } from './commander.js';
import type { NodeConnection } from './node-connection.js';

/** Whose it is: as the task stood when it gave the order. */
export interface Giver {
  readonly task: string;
  readonly hold: string | null;
  readonly op: OperationKind;
}

/** One command, or those of a pipeline or transaction, which go to one node together. */
export interface Errand {
  readonly orders: readonly Order[];
  /** False: a command on its own. */
  readonly together: boolean;
  readonly giver: Giver;
  /** Null: any node will do. */
  slot: number | null;
  /** Redirections and retries that are left; null: there was none yet. */
  left: number | null;
  /** What is at a node now. */
  sent: { readonly connection: NodeConnection; readonly commands: readonly Command[] } | null;
  timer: ProcessTimer | null;
  /** It was given up: what comes is of no account. */
  over: boolean;
}

function engineCommand(args: readonly Bytes[]): EngineCommand | undefined {
  const command = COMMANDS.find(args[0]!);
  if (command === undefined || command.subcommands === null || args.length < 2) return command;
  return command.subcommands.get(args[1]!.toLowerCase()) ?? command;
}

/** The slots of a command's keys, in their order. */
export function slotsOf(args: readonly Bytes[]): number[] {
  const command = engineCommand(args);
  return command === undefined ? [] : (keysOf(command, args) ?? []).map(slotOf);
}

export function onlyReads(args: readonly Bytes[]): boolean {
  return ((engineCommand(args)?.flags ?? 0) & READS) !== 0;
}
