/** A real redis-server for the conformance tests: started on a free port, asked over its socket, stopped at the end. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bytes, Reply } from '../keyspace.js';
import { encodeCommand, ReplyDecoder } from '../resp.js';
import type { FrozenClock } from './faketime.js';

/** Version of the redis-server on the PATH, such as `7.0.15`; undefined: there is none. */
export function installedRedis(): string | undefined {
  const { status, stdout } = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
  return status === 0 ? /v=([\d.]+)/.exec(stdout)?.[1] : undefined;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** One connection; commands may be pipelined. */
export class RealConnection {
  readonly #decoder = new ReplyDecoder();
  readonly #waiting: ((reply: Reply) => void)[] = [];
  /** What came without anyone waiting for it, in order. */
  readonly unclaimed: Reply[] = [];
  closed = false;

  private constructor(readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (bytes: string) => {
      for (const reply of this.#decoder.push(bytes)) {
        const waiting = this.#waiting.shift();
        if (waiting === undefined) this.unclaimed.push(reply);
        else waiting(reply);
      }
    });
    socket.on('error', () => {});
    socket.on('end', () => (this.closed = true));
    socket.on('close', () => (this.closed = true));
  }

  static async open(port: number): Promise<RealConnection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RealConnection(socket);
  }

  /** Sends, and waits for the next reply. */
  send(args: readonly Bytes[]): Promise<Reply> {
    this.post(args);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Sends; what comes back is {@link unclaimed}. Returns the number of bytes. */
  post(args: readonly Bytes[]): number {
    const bytes = encodeCommand(args);
    this.socket.write(bytes, 'latin1');
    return bytes.length;
  }

  /** Part of a reply has come, and the rest has not. */
  get midway(): boolean {
    return this.#decoder.midway;
  }

  close(): void {
    this.socket.destroy();
  }
}

export class RealRedis {
  private constructor(
    readonly process: ChildProcess,
    readonly port: number,
    private readonly directory: string,
  ) {}

  /** Nothing on disk; one database unless the options say otherwise. A clock, if given, is the server's wall clock. */
  static async start(given: readonly string[] = [], clock?: FrozenClock): Promise<RealRedis> {
    const port = await freePort();
    // Empty: a server loads what it finds.
    const directory = mkdtempSync(path.join(tmpdir(), 'lockpick-redis-'));
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const process = spawn('redis-server', [...options, '--databases', '1', ...given], {
      stdio: 'ignore',
      cwd: directory,
      env: { ...globalThis.process.env, ...clock?.environment },
    });
    const redis = new RealRedis(process, port, directory);
    for (let attempt = 0; attempt < 100; attempt++) {
      try {
        (await redis.connect()).close();
        return redis;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    }
    redis.stop();
    throw new Error('redis-server did not start');
  }

  connect(): Promise<RealConnection> {
    return RealConnection.open(this.port);
  }

  stop(): void {
    this.process.kill('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }
}
