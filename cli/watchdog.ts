/**
 * A watchdog for code that never gives way: a loop that neither ends nor awaits holds the thread, so that no timer of
 * ours would ever fire. V8 breaks it off after a real time limit; shortly before, a second thread halts it through the
 * inspector to see where it is. What the loop broke off can't be used further: the command ends.
 */
import { writeSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { Script } from 'node:vm';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';
import type { LockModule } from '../sim/load.js';
import { EXIT } from './exit.js';

/** Real milliseconds that one run may take without the event loop turning. */
const LIMIT_MS = 20_000;

/** How long before the limit the place of the loop is looked up. */
const LOOK_BEFORE_MS = 1000;

const CALL = Symbol.for('lockpick.watched');
const script = new Script(`globalThis[Symbol.for('lockpick.watched')]()`, { filename: 'watchdog' });

// Captured before any run swaps globals: after a broken run they are not put back.
const { reallyExit } = process as unknown as { reallyExit(this: NodeJS.Process, code: number): void };
const theProcess = process;

/** Line and column count from 0. */
interface Frame {
  readonly name: string;
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/** Looks for a halted main thread's call stack when told to; plain JavaScript, for it runs as text. */
const OBSERVER = `
const { workerData: { port } } = require('node:worker_threads');
const { Session } = require('node:inspector');
port.on('message', (delayMs) => {
  clearTimeout(globalThis.due);
  if (delayMs < 0) return;
  globalThis.due = setTimeout(() => {
    const session = new Session();
    session.connectToMainThread();
    const urls = new Map();
    session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => urls.set(scriptId, url));
    let steps = 0;
    session.on('Debugger.paused', ({ params: { callFrames } }) => {
      // Between two microtasks nothing of the program is on the stack: it is a few steps away.
      const inside = callFrames.some(({ location: { scriptId } }) => (urls.get(scriptId) ?? '').startsWith('sealed/'));
      if (!inside && ++steps < 200) return session.post('Debugger.stepInto');
      port.postMessage(callFrames.map(({ functionName, location: { scriptId, lineNumber, columnNumber } }) => (
        { name: functionName, url: urls.get(scriptId) ?? '', line: lineNumber, column: columnNumber })));
      session.post('Debugger.resume', () => session.disconnect());
    });
    session.post('Debugger.enable', () => session.post('Debugger.pause'));
  }, delayMs);
});
`;

/** Wraps the synchronous part of runs of one lock. */
export class Watchdog {
  private readonly port: MessagePort;
  private readonly worker: Worker;

  constructor(
    private readonly lock: LockModule,
    private readonly limitMs = limitFromEnvironment(),
  ) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.worker = new Worker(OBSERVER, { eval: true, workerData: { port: port2 }, transferList: [port2] });
    this.worker.unref();
    port1.unref();
  }

  /** Calls `run`; if it doesn't return in time, says where it is and ends the process. */
  readonly around = <T>(run: () => T): T => {
    let result: { value: T } | undefined;
    const place = globalThis as unknown as Record<symbol, () => void>;
    place[CALL] = () => {
      result = { value: run() };
    };
    this.port.postMessage(Math.max(0, this.limitMs - LOOK_BEFORE_MS));
    try {
      script.runInThisContext({ timeout: this.limitMs });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      this.giveUp();
    }
    this.port.postMessage(-1);
    return result!.value;
  };

  private giveUp(): void {
    const frames = (receiveMessageOnPort(this.port)?.message ?? []) as readonly Frame[];
    const loading = frames.some(({ name }) => name === 'instantiate');
    const at = frames.find(({ url }) => url.startsWith('sealed/'));
    const where =
      at === undefined ? '' : `, in ${at.name === '' ? 'a function' : at.name}, ${this.place(at)}`;
    const when = loading ? 'while the module loads' : 'in a step of a process';
    writeSync(
      2,
      `lockpick: ${this.lock.name}: a hot loop: the lock ran for ${this.limitMs / 1000} s without giving way, ${when}${where}\n`,
    );
    reallyExit.call(theProcess, loading ? EXIT.usage : EXIT.violation);
  }

  /** Where in the module's own files: the compiled function begins two lines before the bundle. */
  private place({ url, line, column }: Frame): string {
    const map = new SourceMap(JSON.parse(this.lock.bundle.sourceMap) as SourceMapPayload);
    const entry = map.findEntry(line - 2, column);
    if ('originalSource' in entry) return `${entry.originalSource}:${entry.originalLine + 1}`;
    return `${url.replace('sealed/', '')}:${line - 1} of the bundle`;
  }

  /** Lets the second thread go. */
  async stop(): Promise<void> {
    this.port.close();
    await this.worker.terminate();
  }
}

function limitFromEnvironment(): number {
  const given = Number(process.env['LOCKPICK_WATCHDOG_MS']);
  return Number.isFinite(given) && given >= 1000 ? given : LIMIT_MS;
}
