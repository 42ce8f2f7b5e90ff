/** docs/ioredis-mock.md: what the suite finds when it holds ioredis-mock against a real server. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { printReceived } from './compare.js';
import { FAMILIES } from './families/all.js';
import { MockSubject } from './mock-subject.js';
import { installedRedis } from './real-redis.js';
import type { RealSubject } from './real-subject.js';
import { printStep } from './step.js';
import { Survey, type Finding } from './survey.js';

export const TABLE_FILE = 'docs/ioredis-mock.md';
/** Whose replies the table shows. */
export const TABLE_REDIS = '7.0.15';
const SEED = 20_261_129;
const SEQUENCES_PER_FAMILY = 25;
/**
 * Not tabled: what follows the commands that the engine offers instead of those that Redis does, and what ioredis-mock has not
 * at all (it would loop for ever, too).
 */
const UNTABLED = new Set(['bad-input', 'everything', 'busy', 'pause']);
const TABLED = Object.keys(FAMILIES).filter((family) => !UNTABLED.has(family));

function mockVersion(): string {
  const manifest = createRequire(import.meta.url).resolve('ioredis-mock/package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** Backticks hold what may contain anything but a backtick; a bar would end the cell. */
function code(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll('|', String.raw`\|`)}\``;
}

function row({ command, what, steps, difference }: Finding): string {
  const cells = [
    code(command),
    what,
    steps.map((step) => code(printStep(step))).join('<br>'),
    code(printReceived(difference.expected, 160)),
    code(printReceived(difference.actual, 160)),
  ];
  return `| ${cells.join(' | ')} |`;
}

const ABSENT = 'not there';

function page(findings: readonly Finding[]): string {
  const absent = new Set(findings.filter(({ what }) => what === ABSENT).map(({ command }) => command));
  const others = findings.filter(({ what }) => what !== ABSENT);
  return `# How ioredis-mock ${mockVersion()} differs from redis-server ${installedRedis()}

Found by the conformance suite (see [conformance.md](conformance.md)): ${TABLED.length * SEQUENCES_PER_FAMILY} generated sequences, seed ${SEED}, on
ioredis-mock as an engine of the simulator and on a real server with the same clock. Generated; \`npm run conformance -- --table\`
writes it anew, and a test holds it to what the suite finds.

## Commands it does not have

${[...absent]
  .filter((name) => !name.includes(' ') || !absent.has(name.split(' ')[0]!))
  .map(code)
  .join(', ')}

## Commands that answer otherwise

One row for each command and kind of difference, with the smallest sequence that was found. A line is one command, after the number
of its connection; the replies are to the last line, as they are on the wire.

| command | ioredis-mock answers | sequence | redis-server | ioredis-mock |
| --- | --- | --- | --- | --- |
${others.map(row).join('\n')}
`;
}

/** The page as the suite finds it now. */
export async function mockTable(
  real: RealSubject,
  progress: (family: string) => void = () => {},
): Promise<string> {
  const survey = new Survey(real, await MockSubject.load());
  for (const family of TABLED) {
    progress(family);
    await survey.run(SEQUENCES_PER_FAMILY, SEED, [family]);
  }
  return page(survey.findings);
}
