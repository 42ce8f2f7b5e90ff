/** A real redis-server for the conformance tests: started on a free port, asked over its socket, stopped at the end. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Bytes, Reply } from '../keyspace.js';
import { encodeCommand, ReplyDecoder } from '../resp.js';

/** Version of the redis-server on the PATH, such as `7.0.15`; undefined: there is none. */
export function installedRedis(): string | undefined {
  const { status, stdout } = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
  return status === 0 ? /v=([\d.]+)/.exec(stdout)?.[1] : undefined;
}

async function freePort(): Promise<number> {
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

  private constructor(readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (bytes: string) => {
      for (const reply of this.#decoder.push(bytes)) this.#waiting.shift()?.(reply);
    });
  }

  static async open(port: number): Promise<RealConnection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RealConnection(socket);
  }

  send(args: readonly Bytes[]): Promise<Reply> {
    this.socket.write(encodeCommand(args), 'latin1');
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    this.socket.destroy();
  }
}

export class RealRedis {
  private constructor(
    readonly process: ChildProcess,
    readonly port: number,
  ) {}

  /** One database, nothing on disk. */
  static async start(): Promise<RealRedis> {
    const port = await freePort();
    const options = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--databases',
      '1',
    ];
    const process = spawn('redis-server', options, { stdio: 'ignore', cwd: '/tmp' });
    const redis = new RealRedis(process, port);
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
  }
}
