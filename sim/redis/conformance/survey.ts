/** All the ways in which a subject differs from the real server, each with the smallest sequence found for it. */
import fc from 'fast-check';
import { ErrorReply, NilArrayReply, StatusReply } from '../keyspace.js';
import { inResp2 } from '../resp.js';
import { firstDifference, type Difference } from './compare.js';
import { FAMILIES } from './families/all.js';
import { isCommand, printStep, type Step } from './step.js';
import { HUNG_UP, type Received, type Subject } from './subject.js';

export interface Finding {
  /** The command at whose step they differ, lower case, with its subcommand; `clock`: the server's clock moved. */
  readonly command: string;
  /** In a few words. */
  readonly what: string;
  steps: readonly Step[];
  difference: Difference;
}

/** Sequences that are shrunk for one finding; the smallest stands for it. */
const SHRUNK = 2;

const CONTAINERS = new Set(['client', 'config', 'script', 'pubsub', 'object', 'command', 'acl', 'cluster']);

function commandOf(step: Step): string {
  if (!isCommand(step)) return 'clock';
  const [name = '', sub = ''] = step.args.map((arg) => arg.toLowerCase());
  return CONTAINERS.has(name) && /^[a-z-]+$/.test(sub) ? `${name} ${sub}` : name;
}

function kindOf(received: Received | undefined): string {
  if (received === undefined) return 'nothing';
  if (received === HUNG_UP) return 'closed connection';
  const reply = inResp2(received);
  if (reply instanceof ErrorReply) return 'error';
  if (reply instanceof StatusReply) return 'status';
  if (reply instanceof NilArrayReply) return 'nil array';
  if (reply === null) return 'nil';
  if (typeof reply === 'string') return 'bulk string';
  return Array.isArray(reply) ? 'array' : 'integer';
}

/** Where the two outcomes part: the first message that differs in kind, else the last. */
function parting({ expected, actual }: Difference): readonly [Received | undefined, Received | undefined] {
  const length = Math.max(expected.length, actual.length);
  for (let i = 0; i < length; i++) {
    if (kindOf(expected[i]) !== kindOf(actual[i])) return [expected[i], actual[i]];
  }
  return [expected.at(-1), actual.at(-1)];
}

function whatDiffers(difference: Difference): string {
  const [theirs, ours] = parting(difference);
  if (ours instanceof ErrorReply && /unknown command/.test(ours.text)) return 'not there';
  const [expected, actual] = [kindOf(theirs), kindOf(ours)];
  if (expected !== actual) return `${actual} instead of ${expected}`;
  return expected === 'error' ? 'error text' : `other ${expected}`;
}

function size(steps: readonly Step[]): number {
  return steps.length * 1000 + steps.map(printStep).join('\n').length;
}

export class Survey {
  readonly #findings = new Map<string, { finding: Finding; seen: number }>();

  constructor(
    private readonly real: Subject,
    private readonly other: Subject,
  ) {}

  get findings(): Finding[] {
    return [...this.#findings.values()]
      .map(({ finding }) => finding)
      .sort((a, b) => (`${a.command} ${a.what}` < `${b.command} ${b.what}` ? -1 : 1));
  }

  /** Looks at so many sequences, evenly of the families. */
  async run(runs: number, seed: number, families: readonly string[]): Promise<void> {
    const each = Math.ceil(runs / families.length);
    for (const [i, family] of families.entries()) {
      for (const steps of fc.sample(FAMILIES[family]!, { numRuns: each, seed: seed + i }))
        await this.look(steps);
    }
  }

  /** Steps that differ are taken out, one after the other, so that the rest of the sequence is looked at too. */
  async look(given: readonly Step[]): Promise<void> {
    let steps = given;
    for (;;) {
      const difference = await firstDifference(this.real, this.other, steps);
      if (difference === undefined) return;
      await this.#note(steps, difference);
      steps = steps.toSpliced(difference.at, 1);
    }
  }

  async #note(steps: readonly Step[], difference: Difference): Promise<void> {
    const command = commandOf(steps[difference.at]!);
    const what = whatDiffers(difference);
    const id = this.identify(steps, difference);
    const known = this.#findings.get(id);
    if (known !== undefined && known.seen >= SHRUNK) return;
    const small = await this.#shrink(id, steps.slice(0, difference.at + 1), difference);
    if (known === undefined) {
      this.#findings.set(id, { finding: { command, what, ...small }, seen: 1 });
      return;
    }
    known.seen++;
    if (size(small.steps) < size(known.finding.steps)) Object.assign(known.finding, small);
  }

  protected identify(steps: readonly Step[], difference: Difference): string {
    return `${commandOf(steps[difference.at]!)}\n${whatDiffers(difference)}`;
  }

  /** Leaves out what can be left out while the last step still differs in the same way. */
  async #shrink(
    id: string,
    steps: readonly Step[],
    difference: Difference,
  ): Promise<{ steps: readonly Step[]; difference: Difference }> {
    let small = { steps, difference };
    for (let at = 0; at < small.steps.length;) {
      const fewer = small.steps.toSpliced(at, 1);
      const found = await firstDifference(this.real, this.other, fewer);
      if (found !== undefined && this.identify(fewer, found) === id) {
        small = { steps: fewer.slice(0, found.at + 1), difference: found };
      } else at++;
    }
    return small;
  }
}
