/** Real Redis servers for integration tests: one process each, on a free port of 127.0.0.1, without persistence. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';

/** Why the tests on a real server can't run here, or undefined. */
export function whyNoRedis(): string | undefined {
  const found = spawnSync('redis-server', ['--version']);
  return found.status === 0 ? undefined : 'redis-server is not on the PATH';
}

export interface RealRedis {
  readonly port: number;
  readonly url: string;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<RealRedis> {
  for (let attempt = 0; ; attempt++) {
    const port = await freePort();
    const server = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/tmp'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    if (await isReady(server)) {
      return { port, url: `redis://127.0.0.1:${port}`, stop: () => stop(server) };
    }
    // Somebody took the port between our look and Redis's.
    if (attempt >= 3) throw new Error('redis-server does not start');
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function isReady(server: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    let output = '';
    server.stdout!.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Ready to accept connections')) resolve(true);
    });
    server.once('exit', () => resolve(false));
  });
}

function stop(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve();
    server.once('exit', () => resolve());
    server.kill('SIGKILL');
  });
}
