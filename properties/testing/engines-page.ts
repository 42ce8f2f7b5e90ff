/** docs/engines.md, generated from what the engines answer and judge. */
import type { Difference, Step } from '../../sim/redis/mock/testing/differences.js';
import type { CellDifference } from './engine-cells.js';

export interface DifferenceRow extends Difference {
  /** The last answer on each engine. */
  readonly native: string;
  readonly mock: string;
}

export interface EnginesPage {
  readonly rows: readonly DifferenceRow[];
  readonly cells: readonly CellDifference[];
}

const INTRODUCTION = `# Engines

<!-- Generated. Change sim/redis/mock/testing/differences.ts or properties/testing/engine-*.ts, then:
UPDATE_DOCS=1 npx vitest run --config .config/vitest.config.ts properties/engines.test.ts -->

Every simulated server keeps its keys in an engine. Which one is part of the scenario:

    npx lockpick run S1 --set servers.engine=ioredis-mock
    npx lockpick matrix --set servers.engine=ioredis-mock

- \`native\`, the default, is lockpick's own. It is held against a real redis-server, reply by reply.
- \`ioredis-mock\` is the package of that name (\`npm i -D ioredis-mock@8.13.1 ioredis\`), unmodified: each server has a copy in a
  seal of its own, whose \`Date\` and timers are that server's clock. It shows what tests against the mock can see of a lock, and
  what they can't.

Faults, network, clocks, crashes and restarts are the server's and work with both. With \`ioredis-mock\` a server is one master in
memory: replicas, persistence, Sentinel, Cluster, memory limits, scripts known from the start and other versions are refused. A
connection is a client of the mock, a command the call of its method; what it has no method for is an unknown command. Every
script call makes a Lua machine of its own, which takes a millisecond or two: native runs the same campaign about a hundred times as fast.

Expiry is told in Redis's terms, where a key is gone one millisecond after its deadline: in histories a key of the mock with a TTL
of 1000 ms has a deadline 999 ms ahead. The mock drops keys when somebody looks; here it is made to look when the time has come.
`;

/** A cell of a table that shows text as it is. */
function code(text: string): string {
  const ticks = text.includes('`') ? '``' : '`';
  return `${ticks}${text.replaceAll('|', '\\|')}${ticks}`;
}

function stepText(step: Step): string {
  if (typeof step === 'number') return `*${step} ms later*`;
  const args = 'on' in step ? step.args : step;
  const line = args.map((arg) => (/^[\w:+$*.-]+$/.test(arg) ? arg : JSON.stringify(arg))).join(' ');
  return 'on' in step ? `*on another connection:* ${code(line)}` : code(line);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function enginesPage({ rows, cells }: EnginesPage): string {
  const verdicts = table(
    ['scenario', 'lock', 'property', 'native', 'ioredis-mock', 'because'],
    cells.map(({ scenario, lock, property, native, mock, because }) => [
      ...[scenario, lock, property, native, mock, because],
    ]),
  );
  const answers = table(
    ['', 'asked', 'native, as Redis', 'ioredis-mock'],
    rows.map(({ about, steps, native, mock }) => [
      ...[about, steps.map(stepText).join('<br>'), code(native), code(mock)],
    ]),
  );
  return `${INTRODUCTION}
## Verdicts

Every cell of the matrix that \`ioredis-mock\` can play is judged as on \`native\`, in every property, but for these:

${verdicts}

## Answers

What a lock may meet; [ioredis-mock.md](ioredis-mock.md) lists all that the conformance suite finds. The last answer of each
conversation is shown: a status bare, a text in quotes.

${answers}
`;
}
