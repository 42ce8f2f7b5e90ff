import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inProcess } from './testing/in-process.js';
import { MY_LOCK, workplace, type Workplace } from './testing/lockpick.js';

let place: Workplace;
const before = process.cwd();
beforeAll(() => {
  place = workplace();
  process.chdir(place.directory);
});
afterAll(() => {
  process.chdir(before);
  place.remove();
});

const usage: [what: string, args: string[], message: RegExp][] = [
  ['no verb', [], /Usage: lockpick/],
  ['an unknown verb', ['mtrix'], /unknown command 'mtrix'[^]*matrix/],
  ['an unknown flag', ['run', 'S1', '--sed', '3'], /unknown option '--sed'[^]*--seed/],
  ['an unknown scenario', ['run', 'S99'], /unknown scenario S99/],
  ['a misspelt lock', ['run', 'S1', '--lock', 'redlok'], /unknown lock redlok \(did you mean redlock\?\)/],
  ['a lock file that is not there', ['run', 'S1', '--lock', './nowhere.ts'], /nowhere\.ts: no such file/],
  ['a scenario file that is not there', ['run', './nowhere.json'], /nowhere\.json: no such file/],
  ['an unknown path', ['run', 'S1', '--set', 'resource.fence=true'], /did you mean resource\.fenced\?/],
  ['no value', ['run', 'S1', '--set', 'seed'], /is not path=value/],
  ['a bad seed', ['run', 'S1', '--seed', 'x'], /A seed is a whole number/],
  ['an unknown blame', ['run', 'S1', '--fail-on', 'libary'], /did you mean library\?/],
  ['a list of nothing', ['list', 'lokcs'], /Allowed choices are scenarios, locks/],
  [
    'a bad scenario file',
    ['run', './bad-scenario.json'],
    /bad-scenario\.json: servers\.cout: .*did you mean count/,
  ],
  ['broken JSON', ['run', './broken.json'], /broken\.json:2: not JSON/],
  ['a history to replay', ['replay', './bad-scenario.json'], /not a lockpick\/counterexample@1 file/],
  ['a directory to replay', ['replay', '.'], /is a directory/],
  ['no lock', ['run', 'C1', '--lock', './no-lock.ts'], /no-lock\.ts exports no lock: .*it exports hello/],
  ['one that throws', ['run', 'C1', '--lock', './throws.ts'], /throws\.ts throws while loading: Error: boom/],
  ['one that escapes', ['run', 'C1', '--lock', './escapes.ts'], /tried to leave the simulation/],
];

describe('bad input ends with 2, says what and where, and leaves stdout empty', () => {
  beforeAll(() => {
    place.write('bad-scenario.json', '{"id": "x", "servers": {"cout": 3}}');
    place.write('broken.json', '{\n"id": x}');
    place.write('no-lock.ts', 'export const hello = 1;');
    place.write('throws.ts', "throw new Error('boom');");
    place.write(
      'escapes.ts',
      `import net from 'node:net';\n${MY_LOCK.replace('const value', 'net.connect(1); const value')}`,
    );
  });

  it.each(usage)('%s', async (_what, args, message) => {
    const { code, stdout, stderr } = await inProcess(args);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
    expect(code).toBe(2);
    expect(stdout).toBe('');
  });
});
