/**
 * The few commands that the locks need, over clients as they stand: `ioredis` 5 and `redis` (node-redis) 4 and 5.
 * Plain commands return the client's own promise: a wrapper would cost each command a promise and a turn.
 */
import { isNoScript, type Script } from './script.js';

export type Argument = string | number;
export type OnReply = (reply: unknown) => void;
export type OnError = (error: unknown) => void;

/** One independent Redis server. Replies are raw: `'OK'`, numbers, strings, `null`. */
export interface RedisServer {
  /** SET key value NX PX ttlMs: `'OK'`, or `null` where the key exists. */
  setIfAbsent(key: string, value: string, ttlMs: number): Promise<unknown>;
  /** SET key value PX ttlMs, whatever is there: `'OK'`. */
  set(key: string, value: string, ttlMs: number): Promise<unknown>;
  /** SET key value NX, without a life: `'OK'` or `null`. */
  setIfAbsentForever(key: string, value: string): Promise<unknown>;
  setnx(key: string, value: string): Promise<unknown>;
  expire(key: string, seconds: number): Promise<unknown>;
  get(key: string): Promise<unknown>;
  del(key: string): Promise<unknown>;
  incr(key: string): Promise<unknown>;
  /** WAIT: how many replicas have all that this client wrote, once `replicas` do or the time is over. */
  wait(replicas: number, timeoutMs: number): Promise<unknown>;
  /**
   * Runs a script by its hash, or by its text until this client has seen it run or when the server has forgotten it.
   * `args` are its keys, then its arguments. Exactly one of the callbacks is called, later.
   * @param unless when its `givenUp` is true by the time the server says NOSCRIPT, the script is not sent again
   */
  run(
    script: Script,
    args: readonly Argument[],
    onReply: OnReply,
    onError: OnError,
    unless?: Abandonable,
  ): void;
}

export interface Abandonable {
  readonly givenUp: boolean;
}

/** What is used of an `ioredis` client. */
export interface IoredisClient {
  set(key: string, value: string, ...rest: Argument[]): Promise<unknown>;
  setnx(key: string, value: string): Promise<unknown>;
  expire(key: string, seconds: number): Promise<unknown>;
  get(key: string): Promise<unknown>;
  del(key: string): Promise<unknown>;
  incr(key: string): Promise<unknown>;
  wait(replicas: number, timeoutMs: number): Promise<unknown>;
  evalsha(sha: string, keyCount: number, ...args: Argument[]): Promise<unknown>;
  eval(script: string, keyCount: number, ...args: Argument[]): Promise<unknown>;
}

/** What is used of a node-redis client. */
export interface NodeRedisClient {
  set(key: string, value: string, options: { NX?: true; PX?: number }): Promise<unknown>;
  setNX(key: string, value: string): Promise<unknown>;
  expire(key: string, seconds: number): Promise<unknown>;
  get(key: string): Promise<unknown>;
  del(key: string): Promise<unknown>;
  incr(key: string): Promise<unknown>;
  wait(replicas: number, timeoutMs: number): Promise<unknown>;
  evalSha(sha: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** A client of either package, typed as loosely as their own generics allow. */
export type RedisClient = IoredisClient | NodeRedisClient | object;

/** Recognises the client by its methods. Throws a TypeError for anything else. */
export function redisServer(client: unknown): RedisServer {
  if (typeof client === 'object' && client !== null) {
    if ('evalsha' in client && typeof client.evalsha === 'function') {
      return new IoredisServer(client as IoredisClient);
    }
    if ('evalSha' in client && typeof client.evalSha === 'function') {
      return new NodeRedisServer(client as unknown as NodeRedisClient);
    }
  }
  throw new TypeError('a Redis client of the package ioredis (5) or redis (4 or 5) is wanted');
}

/** What both packages spell alike, and scripts: by hash once this client has seen the script run, else by text, which loads it. */
abstract class Server<Client extends IoredisClient | NodeRedisClient> {
  private readonly seen = new Set<Script>();

  constructor(protected readonly client: Client) {}

  expire(key: string, seconds: number): Promise<unknown> {
    return this.client.expire(key, seconds);
  }

  get(key: string): Promise<unknown> {
    return this.client.get(key);
  }

  del(key: string): Promise<unknown> {
    return this.client.del(key);
  }

  incr(key: string): Promise<unknown> {
    return this.client.incr(key);
  }

  wait(replicas: number, timeoutMs: number): Promise<unknown> {
    return this.client.wait(replicas, timeoutMs);
  }

  protected abstract byHash(script: Script, args: readonly Argument[]): Promise<unknown>;
  protected abstract byText(script: Script, args: readonly Argument[]): Promise<unknown>;

  run(
    script: Script,
    args: readonly Argument[],
    onReply: OnReply,
    onError: OnError,
    unless?: Abandonable,
  ): void {
    if (!this.seen.has(script)) {
      this.runText(script, args, onReply, onError);
      return;
    }
    this.byHash(script, args).then(onReply, (error: unknown) => {
      if (!isNoScript(error) || unless?.givenUp === true) onError(error);
      else this.runText(script, args, onReply, onError);
    });
  }

  private runText(script: Script, args: readonly Argument[], onReply: OnReply, onError: OnError): void {
    this.byText(script, args).then((reply) => {
      this.seen.add(script);
      onReply(reply);
    }, onError);
  }
}

class IoredisServer extends Server<IoredisClient> implements RedisServer {
  setIfAbsent(key: string, value: string, ttlMs: number): Promise<unknown> {
    return this.client.set(key, value, 'PX', ttlMs, 'NX');
  }

  set(key: string, value: string, ttlMs: number): Promise<unknown> {
    return this.client.set(key, value, 'PX', ttlMs);
  }

  setIfAbsentForever(key: string, value: string): Promise<unknown> {
    return this.client.set(key, value, 'NX');
  }

  setnx(key: string, value: string): Promise<unknown> {
    return this.client.setnx(key, value);
  }

  protected byHash(script: Script, args: readonly Argument[]): Promise<unknown> {
    return this.client.evalsha(script.sha, script.keyCount, ...args);
  }

  protected byText(script: Script, args: readonly Argument[]): Promise<unknown> {
    return this.client.eval(script.text, script.keyCount, ...args);
  }
}

class NodeRedisServer extends Server<NodeRedisClient> implements RedisServer {
  setIfAbsent(key: string, value: string, ttlMs: number): Promise<unknown> {
    return this.client.set(key, value, { NX: true, PX: ttlMs });
  }

  set(key: string, value: string, ttlMs: number): Promise<unknown> {
    return this.client.set(key, value, { PX: ttlMs });
  }

  setIfAbsentForever(key: string, value: string): Promise<unknown> {
    return this.client.set(key, value, { NX: true });
  }

  setnx(key: string, value: string): Promise<unknown> {
    return this.client.setNX(key, value);
  }

  protected byHash(script: Script, args: readonly Argument[]): Promise<unknown> {
    return this.client.evalSha(script.sha, split(script, args));
  }

  protected byText(script: Script, args: readonly Argument[]): Promise<unknown> {
    return this.client.eval(script.text, split(script, args));
  }
}

function split(script: Script, args: readonly Argument[]): { keys: string[]; arguments: string[] } {
  const texts = args.map(String);
  return { keys: texts.slice(0, script.keyCount), arguments: texts.slice(script.keyCount) };
}
