/**
 * Against a model checker: the six questions of opponents/lock.pml, on the model by SPIN (breadth first, so that its trail is the
 * shortest; generated, compiled and run) and on real code by `explore`, each from a cold start to the first violation.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../src/resolve.js';
import type { SpinAnswer } from './spin-ask.js';
import { SPIN_QUESTIONS, type SpinQuestion } from './spin-questions.js';
import { median } from './statistics.js';
import { figure, mark, plain } from './tables.js';

/** Of SPIN's time with compiling; the second where its search alone takes over a second. */
const SHARE_TARGET = 1 / 4;
const LONG_SHARE_TARGET = 1 / 10;
const STEPS_TARGET = 2;

export interface SpinFigures {
  readonly question: string;
  readonly compileMs: number;
  readonly searchMs: number;
  readonly modelSteps: number;
  /** From the start of the process to its end. */
  readonly ourMs: number;
  readonly ourSteps: number;
  readonly schedules: number;
  readonly shareTarget: number;
}

/** What is missing to run the other side; null: nothing. */
export function missingForSpin(): string | null {
  if (spawnSync('spin', ['-V']).status !== 0) return 'spin';
  return spawnSync('cc', ['--version']).status === 0 ? null : 'a C compiler (cc)';
}

export function measureSpin(times: number, say: (text: string) => void): readonly SpinFigures[] {
  return SPIN_QUESTIONS.map((question, index) => {
    const model = askModel(question);
    const answers = Array.from({ length: times }, () => askUs(index));
    const ours = answers[0]!.answer;
    const ourMs = median(answers.map(({ wallMs }) => wallMs));
    const total = model.compileMs + model.searchMs;
    say(`${question.name}: ${(ourMs / 1000).toFixed(2)} s, SPIN ${(total / 1000).toFixed(2)} s`);
    return {
      question: question.name,
      ...model,
      ourMs,
      ourSteps: ours.steps,
      schedules: ours.schedules,
      shareTarget: model.searchMs > 1000 ? LONG_SHARE_TARGET : SHARE_TARGET,
    };
  });
}

function askUs(index: number): { wallMs: number; answer: SpinAnswer } {
  const file = fileURLToPath(new URL('./spin-child.js', import.meta.url));
  const startedMs = performance.now();
  const text = call(process.execPath, [file, String(index)], process.cwd());
  return { wallMs: performance.now() - startedMs, answer: JSON.parse(text) as SpinAnswer };
}

function askModel({ macros, silentFaults }: SpinQuestion): {
  compileMs: number;
  searchMs: number;
  modelSteps: number;
} {
  const place = mkdtempSync(path.join(tmpdir(), 'lockpick-spin-'));
  try {
    copyFileSync(path.join(packageRoot(), 'cli/bench/opponents/lock.pml'), path.join(place, 'lock.pml'));
    const defined = macros.map((macro) => `-D${macro}`);
    const startedMs = performance.now();
    call('spin', [...defined, '-a', 'lock.pml'], place);
    call('cc', ['-O2', '-DBFS', '-DSAFETY', '-o', 'pan', 'pan.c'], place);
    const compiledMs = performance.now();
    call('./pan', [], place);
    const doneMs = performance.now();
    const trail = call('spin', [...defined, '-t', '-p', '-k', 'lock.pml.trail', 'lock.pml'], place);
    return {
      compileMs: compiledMs - startedMs,
      searchMs: doneMs - compiledMs,
      modelSteps: stepsOfTrail(trail) + silentFaults,
    };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function call(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (error !== undefined) throw error;
  // SPIN ends a trail with an assertion, which is what was asked for.
  if (status !== 0 && command !== 'spin') throw new Error(`${command} ended with ${status}: ${stderr}`);
  return stdout;
}

/**
 * Steps of the shortest trail as ours are counted: commands applied, acquires returned, releases invoked, uses and faults. The clock's
 * ticks are none, nor is the beginning of an attempt, or that no server is left to ask.
 */
export function stepsOfTrail(trail: string): number {
  const count = (pattern: RegExp): number => trail.match(pattern)?.length ?? 0;
  const commands = count(/\[todo = \(todo&~/g);
  const granted = count(/\[incs = \(incs\+1\)\]/g);
  const refused = count(/\[\(\(\(votes<.*\|\|/g);
  const uses = count(/\[assert\(\(incs<=1\)\)\]/g);
  // After a section, and likewise after an attempt that failed.
  const releases = Math.max(0, count(/\[start = 0\]/g) - refused);
  const forgotten = count(/Fault:1\).*\[owner\[\d\] = 0\]/g);
  return commands + granted + refused + uses + releases + forgotten;
}

export function spinTable(figures: readonly SpinFigures[]): string {
  const table = plain([
    'question',
    'explore s',
    'SPIN s (search)',
    'share',
    'target',
    '',
    'steps',
    'SPIN',
    '',
  ]);
  for (const each of figures) {
    const { compileMs, searchMs, ourMs, ourSteps, modelSteps, shareTarget } = each;
    const share = ourMs / (compileMs + searchMs);
    table.push([
      each.question,
      figure(ourMs / 1000),
      `${figure((compileMs + searchMs) / 1000)} (${figure(searchMs / 1000)})`,
      figure(share),
      `<= ${shareTarget}`,
      mark(share <= shareTarget),
      String(ourSteps),
      String(modelSteps),
      mark(ourSteps <= STEPS_TARGET * modelSteps),
    ]);
  }
  return table.toString();
}
