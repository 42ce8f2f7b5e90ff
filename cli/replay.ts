import path from 'node:path';
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { everyViolation, type Blame } from '../properties/verdict.js';
import type { Counterexample } from '../sim/history/counterexample.js';
import type { History } from '../sim/history/events.js';
import { readCounterexample } from '../sim/history/file.js';
import { execute, load, violationsOf, type Execution } from './execute.js';
import { CommandError, EXIT, type ExitCode } from './exit.js';
import { addCommonOptions, type CommonOptions } from './options.js';
import { note, shellWord } from './output.js';
import { checkLockName } from './resolve.js';
import { addWhyOption, present, whyOf, type WhyOptions } from './run.js';

interface Options extends CommonOptions, WhyOptions {
  readonly lock?: string;
  readonly trace?: boolean;
}

export function addReplayVerb(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('replay')
    .description('run a counterexample again, exactly')
    .argument('<file>', 'a lockpick/counterexample@1 file')
    .option('--lock <name>', 'another lock, or the same one at another place')
    .option('--trace', 'also write the history with every message and printed line');
  addCommonOptions(addWhyOption(command))
    .addHelpText(
      'after',
      `
The same lock must give the same digest (else exit 4). A changed lock, or another version of lockpick, is
judged afresh: exit 0 if the violation is gone, 1 if it is still there.

Example:
  lockpick replay lockpick-out/S1-single-seed1.counterexample.json`,
    )
    .action(async (file: string, options: Options) => {
      const counterexample = readCounterexample(file);
      const name = lockOf(counterexample, file, options.lock);
      const scenario = {
        ...counterexample.scenario,
        lock: { ...counterexample.scenario.lock, name },
      };
      const lock = await load(name);
      const execution = await execute(scenario, lock, {
        ...options,
        replayed: file,
        written: (history, digestHex, place) => {
          checkDigest(counterexample, { history, digestHex, place, file });
        },
      });
      const ending = settle(counterexample, execution, options.failOn);
      const { message, exitCode, ...replay } = ending;
      const command = ['npx', 'lockpick', 'replay', file].map(shellWord).join(' ');
      const asExpected = exitCode === EXIT.asExpected;
      const why = await whyOf(execution, lock, options, counterexample);
      present(execution, { ...options, set: [] }, command, { why, extra: { asExpected, replay } });
      note(message);
      exit(exitCode);
    });
}

/** The lock to run: the one named now, else the file beside the counterexample, else the name it carries. */
function lockOf(counterexample: Counterexample, file: string, given: string | undefined): string {
  const { path: place, name } = counterexample.lock;
  if (given === undefined && place !== undefined) {
    const resolved = path.resolve(path.dirname(file), place);
    if (existsSync(resolved)) {
      const original = counterexample.scenario.lock.name;
      // Keeping the name as it was written keeps the history, and so the digest, the same.
      return path.resolve(original) === resolved ? original : resolved;
    }
  }
  const word = given ?? counterexample.scenario.lock.name ?? name;
  checkLockName(word);
  return word;
}

/** The same run exactly: the same lock (name and bundle) and the same lockpick. */
function sameness(
  counterexample: Counterexample,
  history: History,
): { sameLock: boolean; sameVersion: boolean } {
  const { lock, versions, scenario } = history.header;
  return {
    sameLock:
      lock.bundle === counterexample.lock.bundle && scenario.lock.name === counterexample.scenario.lock.name,
    sameVersion: versions.lockpick === counterexample.versions.lockpick,
  };
}

function checkDigest(
  counterexample: Counterexample,
  run: { history: History; digestHex: string; place: string; file: string },
): void {
  const { sameLock, sameVersion } = sameness(counterexample, run.history);
  if (!sameLock || !sameVersion || run.digestHex === counterexample.digest) return;
  throw new CommandError(
    `${run.file}: the replay diverged: same lock, same lockpick, but the digest is ${run.digestHex.slice(0, 12)} and not ${counterexample.digest.slice(0, 12)} (its history: ${run.place})`,
    EXIT.diverged,
  );
}

interface Ending {
  readonly status: 'reproduced' | 'still violated' | 'fixed' | 'unknown';
  readonly sameLock: boolean;
  readonly sameVersion: boolean;
  readonly message: string;
  readonly exitCode: ExitCode;
}

/**
 * What a replay says: still violated (1) or fixed (0), and on what ground it was judged. A lock that was mended may leave a violation of the same
 * property for which somebody else is to blame.
 */
function settle(
  counterexample: Counterexample,
  { verdicts, history }: Execution,
  failOn: readonly Blame[],
): Ending {
  const { property, blame, versions } = counterexample;
  const same = sameness(counterexample, history);
  const because = groundOf(same, versions.lockpick, history.header.versions.lockpick);
  const verdict = verdicts[property];
  const blames = verdict.verdict === 'violated' ? everyViolation(verdict).map((each) => each.blame) : [];
  const found = blames.includes(blame) ? blame : blames.find((each) => failOn.includes(each));
  if (found !== undefined) {
    const status = because === '' ? 'reproduced' : 'still violated';
    const then = found === blame ? '' : ` (it was ${blame})`;
    const message = `${status}: ${property}, blame ${found}${then}${because}`;
    return { ...same, status, message, exitCode: EXIT.violation };
  }
  if (verdict.verdict === 'unknown') {
    const message = `unknown: ${property}: ${verdict.reason}${because}`;
    return { ...same, status: 'unknown', message, exitCode: EXIT.unknown };
  }
  const others = violationsOf(verdicts).map(([id, { blame: of }]) => `${id} (${of})`);
  const rest = others.length === 0 ? '' : `; other violations: ${others.join(', ')}`;
  const now = verdict.verdict === 'violated' ? `is not violated with blame ${blame} any more` : 'holds';
  const message = `fixed: ${property} ${now}${because}${rest}`;
  return { ...same, status: 'fixed', message, exitCode: EXIT.asExpected };
}

function groundOf(same: { sameLock: boolean; sameVersion: boolean }, then: string, now: string): string {
  const grounds = [
    ...(same.sameVersion ? [] : [`written by lockpick ${then}, judged afresh by ${now}`]),
    ...(same.sameLock ? [] : ['the lock is another than then']),
  ];
  return grounds.length === 0 ? '' : ` (${grounds.join('; ')})`;
}
