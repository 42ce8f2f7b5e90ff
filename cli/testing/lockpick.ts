/** Runs the command as its users do, in a directory of its own. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../lockpick.mjs', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Workplace {
  readonly directory: string;
  run(...args: string[]): Promise<Ended>;
  runWith(env: Record<string, string>, ...args: string[]): Promise<Ended>;
  write(file: string, text: string): void;
  /** Interrupts the command as Ctrl-C does once its stderr matches. */
  interruptAt(pattern: RegExp, ...args: string[]): Promise<Ended>;
  remove(): void;
}

export function workplace(): Workplace {
  const directory = mkdtempSync(path.join(tmpdir(), 'lockpick-cli-'));
  const start = (args: readonly string[], env: Record<string, string>, interrupt?: RegExp): Promise<Ended> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [BIN, ...args], {
        cwd: directory,
        env: { ...process.env, NO_COLOR: '1', ...env },
      });
      let stdout = '';
      let stderr = '';
      let interrupted = false;
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => {
        stderr += chunk.toString();
        if (interrupt?.test(stderr) === true && !interrupted) {
          interrupted = true;
          child.kill('SIGINT');
        }
      });
      child.on('error', reject);
      child.on('close', (code) => {
        resolve({ code, stdout, stderr });
      });
    });
  return {
    directory,
    run: (...args) => start(args, {}),
    runWith: (env, ...args) => start(args, env),
    interruptAt: (pattern, ...args) => start(args, { LOCKPICK_PROGRESS_MS: '0' }, pattern),
    write: (file, text) => {
      const place = path.join(directory, file);
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, text);
    },
    remove: () => {
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A lock as a user writes one, without any import. */
export const MY_LOCK = `
export default {
  name: 'mine', servers: 1,
  connect({ clients: [redis] }) {
    return {
      async acquire(resource, { ttlMs }) {
        const value = String(Math.random());
        for (let tries = 0; tries < 50; tries++) {
          const started = performance.now();
          if (await redis.set(resource, value, 'PX', ttlMs, 'NX')) {
            const ms = started + ttlMs * 0.98;
            return {
              validUntil: () => ({ clock: 'monotonic', ms }),
              async release() {
                await redis.eval("if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0", 1, resource, value);
              },
            };
          }
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        throw Object.assign(new Error('held'), { name: 'NotAcquired' });
      },
    };
  },
};
`;
