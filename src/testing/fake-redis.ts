/**
 * A Redis server in memory with the face of an `ioredis` client, for unit tests under fake timers: a command takes
 * effect `latencyMs` after it was sent and is answered as much later. It knows the locks' scripts by what they call;
 * the scripts themselves are tested on a real server.
 */
import { createHash } from 'node:crypto';

interface Entry {
  value: string;
  deadlineMs: number;
}

type Fate = 'normal' | 'silent' | 'request-lost' | 'reply-lost' | 'refused';

export class FakeRedis {
  latencyMs = 1;
  /** What becomes of commands sent from now on. */
  fate: Fate = 'normal';
  /** Further delay of the next commands' way to the server, one after the other. */
  readonly delaysMs: number[] = [];
  /** Commands in the order in which they took effect. */
  readonly applied: string[][] = [];
  private readonly keys = new Map<string, Entry>();
  private readonly sets = new Map<string, Map<string, number>>();
  private readonly scripts = new Map<string, string>();

  /** The live value of a key. */
  peek(key: string): string | null {
    const entry = this.keys.get(key);
    if (entry === undefined || Date.now() > entry.deadlineMs) {
      this.keys.delete(key);
      return null;
    }
    return entry.value;
  }

  put(key: string, value: string, ttlMs = Infinity): void {
    this.keys.set(key, { value, deadlineMs: Date.now() + ttlMs });
  }

  /** Restarts the server without its data and scripts. */
  forget(): void {
    this.keys.clear();
    this.sets.clear();
    this.scripts.clear();
  }

  countOf(command: string): number {
    return this.applied.filter(([name]) => name === command).length;
  }

  set = (...args: unknown[]): Promise<unknown> => this.send('SET', args);
  setnx = (...args: unknown[]): Promise<unknown> => this.send('SETNX', args);
  expire = (...args: unknown[]): Promise<unknown> => this.send('EXPIRE', args);
  get = (...args: unknown[]): Promise<unknown> => this.send('GET', args);
  del = (...args: unknown[]): Promise<unknown> => this.send('DEL', args);
  incr = (...args: unknown[]): Promise<unknown> => this.send('INCR', args);
  evalsha = (...args: unknown[]): Promise<unknown> => this.send('EVALSHA', args);
  eval = (...args: unknown[]): Promise<unknown> => this.send('EVAL', args);

  private send(name: string, given: unknown[]): Promise<unknown> {
    const args = given.map(String);
    const { fate, latencyMs } = this;
    const wayMs = latencyMs + (this.delaysMs.shift() ?? 0);
    return new Promise((resolve, reject) => {
      if (fate === 'silent') return;
      setTimeout(() => {
        if (fate === 'refused') return reject(new Error('connect ECONNREFUSED'));
        if (fate === 'request-lost') return reject(new Error('read ECONNRESET'));
        let reply: unknown;
        try {
          reply = this.apply(name, args);
        } catch (error) {
          reply = error;
        }
        setTimeout(() => {
          if (fate === 'reply-lost') reject(new Error('read ECONNRESET'));
          else if (reply instanceof Error) reject(reply);
          else resolve(reply);
        }, latencyMs);
      }, wayMs);
    });
  }

  private apply(name: string, args: string[]): unknown {
    this.applied.push([name, ...args]);
    const [key = '', value = ''] = args;
    switch (name) {
      case 'SET':
        if (this.peek(key) !== null) return null;
        this.put(key, value, args[2] === 'PX' ? Number(args[3]) : Infinity);
        return 'OK';
      case 'SETNX':
        if (this.peek(key) !== null) return 0;
        this.put(key, value);
        return 1;
      case 'EXPIRE':
        return this.expireIn(key, Number(value) * 1000);
      case 'GET':
        return this.peek(key);
      case 'DEL':
        return this.peek(key) !== null && this.keys.delete(key) ? 1 : 0;
      case 'INCR':
        return this.increment(key);
      case 'EVAL':
        this.scripts.set(createHash('sha1').update(key).digest('hex'), key);
        return this.script(key, args.slice(2));
      case 'EVALSHA': {
        const text = this.scripts.get(key);
        if (text === undefined) throw new Error('NOSCRIPT No matching script. Please use EVAL.');
        return this.script(text, args.slice(2));
      }
      default:
        throw new Error(`ERR unknown command '${name}'`);
    }
  }

  private script(text: string, args: string[]): unknown {
    if (text.includes("'zadd'") || text.includes("'zrem'")) return this.permitScript(text, args);
    const [key = '', second = '', third = '', fourth = ''] = args;
    if (text.includes("'del'")) {
      if (this.peek(key) !== second) return 0;
      this.keys.delete(key);
      return 1;
    }
    if (text.includes("'pexpire'")) return this.peek(key) === second ? this.expireIn(key, Number(third)) : 0;
    if (text.includes("'NX'")) {
      if (this.peek(key) !== null) return -1;
      this.put(key, third, Number(fourth));
      return text.includes("'incr'") ? this.increment(second) : Number(this.peek(second) ?? 0);
    }
    if (this.peek(key) !== third) return 0;
    if (Number(this.peek(second) ?? 0) < Number(fourth)) this.put(second, fourth);
    return 1;
  }

  /** What a semaphore's scripts do. */
  private permitScript(text: string, [key = '', member = '', ttlMs, clientMs, permits]: string[]): number {
    const members = this.members(key);
    if (!text.includes("'zadd'")) return members.delete(member) ? 1 : 0;
    const now = text.includes("'time'") ? Date.now() : Number(clientMs);
    if (permits === undefined) {
      if ((members.get(member) ?? -Infinity) < now) return 0;
    } else {
      for (const [other, endMs] of members) if (endMs < now) members.delete(other);
      if (members.size >= Number(permits) && !members.has(member)) return 0;
    }
    members.set(member, now + Number(ttlMs));
    return 1;
  }

  /** Members of a semaphore's sorted set, with the times at which they run out. */
  members(key: string): Map<string, number> {
    let members = this.sets.get(key);
    if (members === undefined) this.sets.set(key, (members = new Map()));
    return members;
  }

  private expireIn(key: string, ttlMs: number): number {
    const value = this.peek(key);
    if (value === null) return 0;
    this.put(key, value, ttlMs);
    return 1;
  }

  private increment(key: string): number {
    const next = Number(this.peek(key) ?? 0) + 1;
    this.put(key, String(next));
    return next;
  }
}

export function fakeServers(count: number): FakeRedis[] {
  return Array.from({ length: count }, () => new FakeRedis());
}
