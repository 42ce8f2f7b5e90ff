/**
 * Histories written by hand, for tests of the checkers. Times are milliseconds of true time; events may be given in any
 * order and are sorted by time (ties: as given). Who owned a key, and its absolute deadline, follow from the events.
 *
 *     history({ servers: 1 })
 *       .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, release: 20, gone: 22 })
 *       .build()
 */
import type { ClockName } from '../../src/contract.js';
import type { ErrorInfo, History } from '../../sim/history/events.js';
import { scenarioSchema } from '../../sim/scenario/schema.js';
import { finish, type Draft } from './finish.js';
import {
  nodeName,
  replica,
  server,
  type GrantOptions,
  type HeldOptions,
  type Node,
  type Setting,
} from './setting.js';

export { replica } from './setting.js';

const us = (ms: number): number => Math.round(ms * 1000);
const processOf = (hold: string): string => hold.split('/')[0]!;
const taskOf = (hold: string): string => hold.split('/')[1]!;
export function history(setting: Setting = {}): HistoryBuilder {
  return new HistoryBuilder(setting);
}

/** Of a command's effect on a key. */
interface KeyOptions {
  readonly ttlMs?: number | null;
  readonly key?: string;
  readonly command?: number;
  readonly args?: string[];
}

export class HistoryBuilder {
  private readonly drafts: Draft[] = [];
  private readonly count: number;
  private readonly ttlMs: number;
  private readonly steps = new Map<string, number>();
  private uses = 0;
  private commands = 0;
  private ended = false;
  private tailed = false;

  constructor(private readonly setting: Setting) {
    this.count = setting.servers ?? 1;
    this.ttlMs = setting.ttlMs ?? 1000;
    const hosts = ['p1', 'p2', 'p3', 'p4', 'p5', 'storage'];
    for (let number = 1; number <= this.count; number++) {
      hosts.push(server(number));
      for (let each = 1; each <= (setting.replicas ?? 0); each++) hosts.push(replica(each, number));
    }
    for (const host of hosts) {
      const { offsetMs = 0, driftPpm = 0 } = setting.clocks?.[host] ?? {};
      const ppm = { wallPpm: driftPpm, monoPpm: driftPpm };
      this.add({ tUs: 0, host, kind: 'clock', wallUs: us(offsetMs), monoUs: 0, ...ppm, cause: 'initial' });
    }
  }

  // ---- holds

  ask(hold: string, at: number, options: { resource?: string; ttlMs?: number } = {}): this {
    const { resource = 'a', ttlMs = this.ttlMs } = options;
    return this.ofHold(hold, at, { kind: 'acquire', phase: 'invoke', resource, ttlMs });
  }

  grant(hold: string, at: number, options: GrantOptions = {}): this {
    const { until, clock = 'monotonic', fence = null, signals = false, renews = false, step } = options;
    const claim = until === undefined ? null : { clock, endMs: until };
    const claims = { claim, fence, signals, renews, votes: [] };
    return this.ofHold(hold, at, { kind: 'acquire', phase: 'ok', ...claims }, step);
  }

  fail(hold: string, at: number): this {
    return this.ofHold(hold, at, {
      kind: 'acquire',
      phase: 'fail',
      error: { name: 'NotAcquired', message: 'held' },
    });
  }

  release(hold: string, at: number): this {
    return this.ofHold(hold, at, { kind: 'release', phase: 'invoke' });
  }

  released(hold: string, at: number): this {
    return this.ofHold(hold, at, { kind: 'release', phase: 'ok' });
  }

  /** A whole hold in one line; what is left out does not happen. */
  held(hold: string, options: HeldOptions): this {
    const { ask, votes, grant, release, gone, resource = 'a' } = options;
    const servers = options.servers ?? Array.from({ length: this.count }, (_, index) => index + 1);
    const key = `lock:${resource}`;
    this.ask(hold, ask, { resource });
    for (const number of servers) this.set(hold, number, votes, { ttlMs: options.ttlMs, key });
    this.grant(hold, grant, options);
    if (release !== undefined) this.release(hold, release);
    if (gone !== undefined) {
      for (const number of servers) this.remove(hold, number, gone, { op: 'release', key });
      this.released(hold, gone + 1);
    }
    return this;
  }

  extended(hold: string, at: number, until?: number, clock: ClockName = 'monotonic'): this {
    const claim = until === undefined ? null : { clock, endMs: until };
    return this.ofHold(hold, at, { kind: 'extend', phase: 'ok', claim });
  }

  extending(hold: string, at: number): this {
    return this.ofHold(hold, at, { kind: 'extend', phase: 'invoke', ttlMs: this.ttlMs });
  }

  extendFailed(hold: string, at: number): this {
    return this.ofHold(hold, at, {
      kind: 'extend',
      phase: 'fail',
      error: { name: 'LockLost', message: 'lost' },
    });
  }

  lost(hold: string, at: number): this {
    return this.ofHold(hold, at, { kind: 'lost' });
  }

  // ---- keys

  /** A command of the hold sets the key; one with a lower `command` was sent before those already applied. */
  set(hold: string, node: Node, at: number, options: KeyOptions = {}): this {
    const ttlMs = options.ttlMs === undefined ? this.ttlMs : options.ttlMs;
    return this.key(hold, node, at, 'set', 'acquire', { ...options, ttlMs });
  }

  remove(hold: string, node: Node, at: number, options: KeyOptions & { op?: string } = {}): this {
    return this.key(hold, node, at, 'deleted', options.op ?? 'release', options);
  }

  /** A command of the hold gives the key a new TTL. */
  expireIn(hold: string, node: Node, at: number, ttlMs: number, op = 'extend'): this {
    return this.key(hold, node, at, 'deadline', op, { ttlMs });
  }

  /** A command changes the value in place, as INCR does. */
  change(hold: string, node: Node, at: number, options: { key?: string } = {}): this {
    return this.key(hold, node, at, 'changed', 'acquire', { ...options, ttlMs: null });
  }

  /** A command that had no effect, e.g. a clean-up of nothing; of `p1/?` nobody can say whose it is. */
  apply(
    hold: string,
    node: Node,
    at: number,
    options: { reply?: string; op?: string; command?: number; args?: string[] } = {},
  ): this {
    const { reply = '0', op = 'acquire', command = ++this.commands, args = ['EVAL'] } = options;
    const task = taskOf(hold);
    const sender = { by: processOf(hold), task, hold: task === '?' ? null : hold, op };
    return this.add({
      tUs: us(at),
      host: nodeName(node),
      kind: 'apply',
      command,
      ...sender,
      args,
      reply,
    });
  }

  reply(
    hold: string,
    node: Node,
    at: number,
    options: { outcome?: string; op?: string; step?: number; command?: number } = {},
  ): this {
    const { outcome = 'ok', op = 'acquire', command = this.commands, step } = options;
    return this.ofHold(hold, at, { kind: 'reply', command, server: nodeName(node), op, outcome }, step);
  }

  expired(node: Node, at: number, key = 'lock:a'): this {
    return this.add({
      tUs: us(at),
      host: nodeName(node),
      kind: 'key',
      key,
      effect: 'expired',
      deadlineMs: null,
    });
  }

  evicted(node: Node, at: number, key = 'lock:a'): this {
    return this.add({
      tUs: us(at),
      host: nodeName(node),
      kind: 'key',
      key,
      effect: 'evicted',
      deadlineMs: null,
    });
  }

  /** A key of the hold is back at a restart or a promotion, with so much of its TTL left by the node's clock. */
  restored(hold: string, node: Node, at: number, ttlMs: number, key = 'lock:a'): this {
    const host = nodeName(node);
    return this.add({ tUs: us(at), host, kind: 'key', key, effect: 'restored', ttlMs, setter: hold });
  }

  /** The key is gone at a restart or a promotion. */
  forgotten(node: Node, at: number, key = 'lock:a'): this {
    return this.add({
      tUs: us(at),
      host: nodeName(node),
      kind: 'key',
      key,
      effect: 'lost',
      deadlineMs: null,
    });
  }

  // ---- uses

  use(
    hold: string,
    sent: number,
    arrived: number,
    op: 'read' | 'write' = 'write',
    options: { refused?: boolean; resource?: string; fence?: number } = {},
  ): this {
    const { refused = false, resource = 'a', fence = null } = options;
    const use = ++this.uses;
    this.ofHold(hold, sent, { kind: 'use', phase: 'invoke', use, resource, op, fence });
    const phase = refused ? 'fail' : 'ok';
    const arrival = {
      kind: 'use',
      phase,
      use,
      by: processOf(hold),
      hold,
      resource,
      op,
      fence,
      sentUs: us(sent),
    };
    return this.add({ tUs: us(arrived), host: 'storage', ...arrival });
  }

  // ---- hosts and network

  step(host: string, at: number, byMs: number): this {
    return this.add({ tUs: us(at), host, kind: 'clock', cause: 'step', byUs: us(byMs) });
  }

  drift(host: string, at: number, driftPpm: number): this {
    return this.add({ tUs: us(at), host, kind: 'clock', cause: 'drift', driftPpm });
  }

  pause(host: string, from: number, until: number, inStep = false): this {
    return this.add({ tUs: us(from), host, kind: 'pause', untilUs: us(until), inStep });
  }

  crash(host: string, at: number): this {
    return this.add({ tUs: us(at), host, kind: 'crash' });
  }

  restart(host: string, at: number, data: 'kept' | 'lost' | 'none' = 'lost'): this {
    return this.add({ tUs: us(at), host, kind: 'restart', data });
  }

  /** A node becomes the master of its server; `forgotten` and `restored` say what is other on it. */
  promote(number: number, at: number, unreplicated: number, node: string = replica(1, number)): this {
    return this.add({ tUs: us(at), host: server(number), kind: 'promote', replica: node, unreplicated });
  }

  /** A Sentinel names another node from here on. */
  switched(sentinel: number, at: number, node: string, number = 1): this {
    const name = server(number);
    const event = { kind: 'sentinel', what: '+switch-master', server: name };
    const detail = `${name} ${name} 6379 ${node} 6379`;
    return this.add({ tUs: us(at), host: `sentinel-${sentinel}`, ...event, detail });
  }

  link(from: string, to: string, at: number, state: 'cut' | 'whole' | 'held' | 'released' | 'reset'): this {
    return this.add({ tUs: us(at), host: from, kind: 'link', to, state });
  }

  struck(index: number, at: number): this {
    return this.add({ tUs: us(at), host: 'p1', kind: 'fault', fault: index, do: 'pause', detail: '' });
  }

  trouble(host: string, at: number, what: string, by?: ErrorInfo): this {
    const error = { name: 'Error', message: 'no' };
    return this.add({ tUs: us(at), host, kind: 'trouble', what, error, ...(by === undefined ? {} : { by }) });
  }

  pending(hold: string, at: number, op: 'acquire' | 'extend' | 'release'): this {
    return this.ofHold(hold, at, { kind: 'pending', op });
  }

  tail(at: number): this {
    this.tailed = true;
    return this.add({ tUs: us(at), host: 'run', kind: 'tail' });
  }

  end(at: number, options: { reason?: string; untriggered?: number[] } = {}): this {
    const { reason = 'done', untriggered = [] } = options;
    this.ended = true;
    return this.add({ tUs: us(at), host: 'run', kind: 'end', reason, untriggered });
  }

  // ---- the history

  build(): History {
    if (!this.tailed) this.tail(0);
    if (!this.ended) this.end(Math.max(...this.drafts.map(({ tUs }) => tUs)) / 1000);
    const events = finish(this.drafts);
    return { header: this.header(), events };
  }

  private header(): History['header'] {
    const { scenario = {}, latencyMs = 5 } = this.setting;
    const parsed = scenarioSchema.parse({
      id: 'test',
      lock: { ttlMs: this.ttlMs },
      servers: { count: this.count },
      processes: { count: 3 },
      network: { latencyMs },
      ...scenario,
    });
    return {
      format: 'lockpick/history@1',
      scenario: parsed,
      lock: { name: 'test', claims: null, bundle: null },
      versions: { lockpick: '0.0.0' },
    };
  }

  private key(hold: string, node: Node, at: number, effect: string, op: string, options: KeyOptions): this {
    const { ttlMs = null, key = 'lock:a', command = ++this.commands, args = ['EVAL'] } = options;
    this.apply(hold, node, at, { reply: '1', op, command, args });
    const change = { key, effect, ttlMs, by: processOf(hold), hold, op, command };
    return this.add({ tUs: us(at), host: nodeName(node), kind: 'key', ...change });
  }

  private ofHold(
    hold: string,
    at: number,
    fields: Record<string, unknown> & { kind: string },
    step?: number,
  ): this {
    const host = processOf(hold);
    const next = step ?? (this.steps.get(host) ?? 0) + 1;
    this.steps.set(host, next);
    return this.add({ tUs: us(at), host, step: next, task: taskOf(hold), hold, ...fields });
  }

  private add(draft: Draft): this {
    this.drafts.push(draft);
    return this;
  }
}
