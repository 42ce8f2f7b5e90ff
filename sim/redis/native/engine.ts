import {
  BLOCKED,
  ErrorReply,
  QUEUED,
  type Bytes,
  type KeyspaceHost,
  type Reply,
  type ServerMode,
} from '../keyspace.js';
import { JsonSettings } from '../lua/json-settings.js';
import { ScriptRandom } from '../lua/random.js';
import type { ScriptHost } from '../lua/runtime.js';
import type { Script } from '../lua/script.js';
import { becomeBusy, type BusyScript } from './busy-script.js';
import {
  arityFits,
  existsIn,
  unknownCommand,
  unknownSubcommand,
  wrongArity,
  type Command,
  type CommandTable,
} from './command.js';
import { DENY_OOM, NOT_QUEUED, NO_SCRIPT, STALE_OK, WRITE } from './facts.js';
import { isOpen, isPaused, OUT_OF_MEMORY, READ_ONLY, refusal, refuse } from './gate.js';
import { keysOf } from './key-places.js';
import { Pause } from './pause.js';
import { scriptTimeUs } from './script-time.js';
import type { ScriptTable } from './scripting.js';
import { wantedReply, type NativeSession } from './session.js';
import { Settings } from './settings.js';
import { Store } from './store.js';
import { Subscriptions } from './subscriptions.js';
import { enqueue } from './transactions.js';
import { versionOf } from './versions.js';
import { WaitingRoom } from './waiting.js';

const UNKNOWN_IN_SCRIPT = new ErrorReply('ERR Unknown Redis command called from script');
const ARITY_IN_SCRIPT = new ErrorReply('ERR Wrong number of args calling Redis command from script');
const NOT_IN_SCRIPT = new ErrorReply('ERR This Redis command is not allowed from script');
const READ_ONLY_SCRIPT = new ErrorReply('ERR Write commands are not allowed from read-only scripts.');
const STALE_SCRIPT = new ErrorReply('ERR Can not execute the command on a stale replica');
const ELSEWHERE = new ErrorReply('ERR Script attempted to access a non local key in a cluster node');
const CLUSTER_DOWN = new ErrorReply('ERR Script attempted to execute a command while the cluster is down');

/** One server's commands at work: finds, checks, queues or executes them, for clients and for scripts. */
export class Engine implements ScriptHost {
  readonly store: Store;
  readonly scripts: ScriptTable = new Map();
  /** What scripts draw from. */
  readonly random = new ScriptRandom();
  /** What scripts have set for `cjson`. */
  readonly json = new JsonSettings();
  /** Which replies scripts see: 2, or 3 after `redis.setresp(3)`. */
  protocol: 2 | 3 = 2;
  /** The script that never ends, with which the server is busy. */
  busy: BusyScript | null = null;
  /** How long the last script took, in turns of its loops and calls of its functions. */
  turns = 0;
  /** What SPOP and its kin, and eviction, draw from. */
  readonly draws = new ScriptRandom();
  readonly waiting: WaitingRoom;
  readonly pause = new Pause();
  /** All connections, by number. */
  readonly sessions = new Map<number, NativeSession>();
  /** What AUTH asks for; empty: nothing. */
  password: Bytes = '';
  /** A transaction or a script executes: nothing blocks. */
  atomic = false;
  /** Before the current command memory was short and could not be freed. */
  short = false;
  /** Of the script that runs now. */
  #scriptSession: NativeSession | null = null;
  #scriptReadOnly = false;
  /** It has called a command that writes: what comes after is not refused any more. */
  #scriptWrote = false;
  #scriptSha = '';
  #scriptCalls = 0;
  #subscriptions: Subscriptions | null = null;
  #settings: Settings | null = null;

  constructor(
    readonly commands: CommandTable,
    readonly mode: ServerMode,
    readonly host: KeyspaceHost,
  ) {
    this.waiting = new WaitingRoom(host);
    this.store = new Store(mode, host, this.waiting);
  }

  // Made when first asked for: a campaign makes thousands of servers a second, and hardly any is asked for these.

  get subscriptions(): Subscriptions {
    return (this.#subscriptions ??= new Subscriptions(this.host));
  }

  get settings(): Settings {
    return (this.#settings ??= new Settings(this.mode, this.host.services));
  }

  execute(session: NativeSession, args: readonly Bytes[], wallUs: number): Reply {
    const { store } = this;
    store.setClock(wallUs);
    if (store.db !== session.db) store.select(session.db);
    session.lastUs = wallUs;
    const reply = this.#perform(session, args);
    if (this.waiting.hasReady) this.waiting.serve(store);
    return session.replyMode === 'on' ? reply : this.#unwanted(session, reply);
  }

  #perform(session: NativeSession, args: readonly Bytes[]): Reply {
    const command = this.#resolve(args);
    if (command instanceof ErrorReply)
      return refuse(this, session, this.commands.find(args[0] ?? '') ?? null, command);
    if (!isOpen(this, session, command)) {
      const error = refusal(this, session, command, args);
      if (error !== null) return error;
    }
    if (this.pause.active && this.#isHeldBack(session, command)) {
      this.pause.postpone(session, args);
      return BLOCKED;
    }
    session.lastCommand = command;
    const { queue } = session;
    if (queue !== null && (command.flags & NOT_QUEUED) === 0) {
      enqueue(session, queue, { command, args });
      return QUEUED;
    }
    try {
      return command.run(this, args, session);
    } catch (error) {
      return becomeBusy(this, session, error, (killed) => killed);
    }
  }

  /** CLIENT REPLY: what a client does not want is not sent, and SKIP is over after the next command. */
  #unwanted(session: NativeSession, reply: Reply): Reply {
    if (reply === BLOCKED) return reply;
    const unwanted = wantedReply(session, reply);
    if (session.replyMode === 'skipping') session.replyMode = 'on';
    else if (session.replyMode === 'skip') session.replyMode = 'skipping';
    return unwanted;
  }

  /** The command to run for these arguments, or the error they deserve. */
  #resolve(args: readonly Bytes[]): Command | ErrorReply {
    const command = args.length === 0 ? undefined : this.commands.find(args[0]!);
    if (command === undefined || !existsIn(this.mode, command)) return unknownCommand(args);
    if (command.subcommands === null || args.length < 2)
      return arityFits(command.arity, args.length) ? command : wrongArity(command.name);
    const sub = command.subcommands.get(args[1]!.toLowerCase());
    if (sub === undefined || !existsIn(this.mode, sub)) return unknownSubcommand(command.name, args[1]!);
    return arityFits(sub.arity, args.length) ? sub : wrongArity(sub.name);
  }

  #isHeldBack(session: NativeSession, command: Command): boolean {
    this.endPauseInTime();
    return this.pause.active && isPaused(this, session, command);
  }

  beginPause(untilMs: number, all: boolean): void {
    this.pause.begin(untilMs, all);
    this.store.paused = true;
  }

  /** Ends a pause whose time is over: now is later than its last millisecond. */
  endPauseInTime(): void {
    if (this.pause.active && this.store.nowMs > this.pause.untilMs) this.endPause();
  }

  /** What the pause held back is executed in order. */
  endPause(): void {
    this.pause.end();
    this.store.paused = false;
    const { db } = this.store;
    for (const { session, args } of this.pause.takePostponed()) {
      this.host.unblocking(session);
      const reply = this.execute(session, args, this.store.wallUs);
      if (reply !== BLOCKED) this.host.unblocked(session, reply);
    }
    this.store.select(db);
  }

  // Scripts.

  runScript(
    script: Script,
    args: readonly Bytes[],
    keyCount: number,
    session: NativeSession,
    readOnly: boolean,
  ): Reply {
    const { atomic } = this;
    const { db } = session;
    this.#scriptSession = session;
    this.#scriptReadOnly = readOnly;
    this.#scriptWrote = false;
    this.#scriptSha = script.sha;
    this.protocol = 2;
    this.turns = 0;
    this.#scriptCalls = 0;
    this.atomic = true;
    try {
      const reply = script.run(this, args, keyCount);
      const us = scriptTimeUs(this.turns, this.#scriptCalls);
      if (us > 0) this.host.services.busy(us);
      return reply;
    } finally {
      this.atomic = atomic;
      this.#scriptSession = null;
      // What a script selects is its own affair.
      if (session.db !== db) {
        session.db = db;
        this.store.select(db);
      }
    }
  }

  /** Of the script that runs or ran last. */
  get lastScript(): { readonly sha: string; readonly wrote: boolean } {
    return { sha: this.#scriptSha, wrote: this.#scriptWrote };
  }

  /** The version that scripts see. */
  get version(): readonly [number, number, number] {
    return versionOf(this.mode);
  }

  /** A command executes for a script. */
  get inScript(): boolean {
    return this.#scriptSession !== null;
  }

  /** The protocol in which the command that executes answers: the connection's, or the script's. */
  protocolFor(session: NativeSession): 2 | 3 {
    return this.#scriptSession === null ? session.protocol : this.protocol;
  }

  knowsCommand(args: readonly Bytes[]): boolean {
    const command = this.commands.find(args[0]!);
    if (command === undefined || !existsIn(this.mode, command)) return false;
    if (command.subcommands === null || args.length < 2) return true;
    const sub = command.subcommands.get(args[1]!.toLowerCase());
    return sub !== undefined && existsIn(this.mode, sub);
  }

  callFromScript(args: readonly Bytes[]): Reply {
    this.#scriptCalls++;
    let command = this.commands.find(args[0]!);
    if (command === undefined || !existsIn(this.mode, command)) return UNKNOWN_IN_SCRIPT;
    if (command.subcommands !== null && args.length > 1) {
      command = command.subcommands.get(args[1]!.toLowerCase());
      if (command === undefined || !existsIn(this.mode, command)) return UNKNOWN_IN_SCRIPT;
    }
    const { flags, arity } = command;
    if (arity >= 0 ? args.length !== arity : args.length < -arity) return ARITY_IN_SCRIPT;
    if ((flags & NO_SCRIPT) !== 0) return NOT_IN_SCRIPT;
    const { mode } = this;
    if (mode.masterDown && (flags & STALE_OK) === 0) return STALE_SCRIPT;
    if ((flags & WRITE) !== 0) {
      if (this.#scriptReadOnly) return READ_ONLY_SCRIPT;
      if (!this.#scriptWrote) {
        const error = this.#firstWriteRefused(flags);
        if (error !== null) return error;
        this.#scriptWrote = true;
      }
    }
    if (mode.cluster) {
      const elsewhere = this.#elsewhere(command, args);
      if (elsewhere !== null) return elsewhere;
    }
    return command.run(this, args, this.#scriptSession!);
  }

  #firstWriteRefused(flags: number): ErrorReply | null {
    if (this.mode.replica) return READ_ONLY;
    if (this.mode.writesRefused !== null) return this.mode.writesRefused;
    return this.mode.maxMemory !== 0 && this.short && (flags & DENY_OOM) !== 0 ? OUT_OF_MEMORY : null;
  }

  #elsewhere(command: Command, args: readonly Bytes[]): ErrorReply | null {
    const keys = keysOf(command, args) ?? [];
    if (keys.length === 0) return null;
    const writes = (command.flags & WRITE) !== 0;
    const redirection = this.host.services.route(this.#scriptSession!, keys, writes);
    if (redirection === null) return null;
    return redirection.text === 'CLUSTERDOWN The cluster is down' ? CLUSTER_DOWN : ELSEWHERE;
  }
}
