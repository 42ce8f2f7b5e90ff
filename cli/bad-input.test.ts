import { beforeAll, describe, expect, it } from 'vitest';
import { inProcess } from './testing/in-process.js';
import { MY_LOCK } from './testing/lockpick.js';
import { workInWorkplace } from './testing/work-in.js';

const place = workInWorkplace();

const usage: [what: string, args: string[], message: RegExp][] = [
  ['no verb', [], /Usage: lockpick/],
  ['an unknown verb', ['mtrix'], /unknown command 'mtrix'[^]*matrix/],
  ['an unknown flag', ['run', 'S1', '--sed', '3'], /unknown option '--sed'[^]*--seed/],
  ['an unknown scenario', ['run', 'S99'], /unknown scenario S99/],
  [
    'a misspelt lock',
    ['run', 'S1', '--lock', 'redlok'],
    /unknown lock redlok \(did you mean redlock\?\); `lockpick list locks` shows them/,
  ],
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
  ['a file for a directory', ['run', 'S1', '--out', './broken.json'], /broken\.json: .* not a directory/],
  [
    'a file among the directories',
    ['run', 'S1', '--out', './broken.json/x'],
    /broken\.json\/x: .* not a directory/,
  ],
  ['a directory that cannot be', ['run', 'S1', '--out', '/proc/x'], /\/proc\/x: no directory can be made/],
  ['a negative seed', ['run', 'S1', '--seed', '-3'], /A seed is a whole number of at least 0/],
  ['a value of the wrong kind', ['run', 'S1', '--set', 'lock.ttlMs=-5'], /lock\.ttlMs: .* above 0, not -5/],
  ['a counterexample cut off', ['replay', './cut.json'], /cut\.json:3: not JSON/],
  ['no lock', ['run', 'C1', '--lock', './no-lock.ts'], /no-lock\.ts exports no lock: .*it exports hello/],
  ['one that throws', ['run', 'C1', '--lock', './throws.ts'], /throws\.ts throws while loading: Error: boom/],
  [
    'one that escapes while it loads',
    ['run', 'C1', '--lock', './escapes-at-once.ts'],
    /escapes-at-once\.ts cannot be loaded: .* net\.connect to 10\.0\.0\.1:6379 \(escapes-at-once\.ts:2:5\)/,
  ],
  ['one that does not parse', ['run', 'C1', '--lock', './syntax.ts'], /syntax\.ts:2:16: /],
  [
    'one whose package lacks a peer',
    ['run', 'C1', '--lock', './lacks-a-peer.ts'],
    /node_modules\/wants\/index\.js:1:9: needs the npm package its-peer, which is not installed: npm i -D its-peer/,
  ],
  ['one that exports nothing', ['run', 'C1', '--lock', './nothing.ts'], /exports no lock: .*nothing/],
  [
    'one of one server among several',
    ['run', 'C5', '--lock', './mine.ts'],
    /mine\.ts is a lock of one server and C5 has 5/,
  ],
  [
    'one for other clients than those of a cluster',
    ['run', 'S19', '--lock', 'redis-lock@1.0.0'],
    /wants clients of node-redis, and S19 has a cluster: --set processes\.transport=wire/,
  ],
  [
    'one for clients that the direct transport does not have',
    ['run', 'S1', '--lock', 'redis-semaphore@5.3.1'],
    /redis-semaphore@5\.3\.1 takes real ioredis clients only: --set processes\.transport=wire/,
  ],
  [
    'one for other clients than those on the wire',
    ['run', 'S1', '--lock', 'redis-lock@1.0.0', '--set', 'processes.transport=wire'],
    /wants clients of node-redis: --set processes\.clientPackage=redis/,
  ],
];

describe('bad input ends with 2, says what and where, and leaves stdout empty', () => {
  beforeAll(() => {
    place.write('bad-scenario.json', '{"id": "x", "servers": {"cout": 3}}');
    place.write('broken.json', '{\n"id": x}');
    place.write('no-lock.ts', 'export const hello = 1;');
    place.write('throws.ts', "throw new Error('boom');");
    place.write('cut.json', '{\n  "format": "lockpick/counterexample@1",\n  "scena');
    place.write('nothing.ts', '');
    place.write('lacks-a-peer.ts', "import 'wants';");
    place.write('node_modules/wants/package.json', '{"name": "wants", "version": "1.0.0"}');
    place.write('node_modules/wants/index.js', "require('its-peer');");
    place.write('syntax.ts', "export default {\n  name: 'mine',,\n};");
    place.write('escapes-at-once.ts', "import net from 'node:net';\nnet.connect(6379, '10.0.0.1');");
    place.write('mine.ts', MY_LOCK);
  });

  it.each(usage)('%s', async (_what, args, message) => {
    const { code, stdout, stderr } = await inProcess(args);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
    expect(code).toBe(2);
    expect(stdout).toBe('');
  });
});

/** The user's lock with a statement at the beginning of its acquire. */
const withFirst = (statement: string): string => MY_LOCK.replace('const value', `${statement}\nconst value`);

const misbehaving: [what: string, statement: string, code: number, message: RegExp][] = [
  ['that never settles', 'await new Promise(() => {});', 1, /settles: .* did not settle .* and never can/],
  [
    'that loops hot',
    'for (;;) await new Promise((resolve) => setImmediate(resolve));',
    1,
    /quiet: .*hot-loop in p1 at 0 ms/,
  ],
  [
    'that loops without end',
    'for (;;) await new Promise((resolve) => setTimeout(resolve, 0));',
    3,
    /UNKNOWN: .*the acquire of p1\/1\/1, asked at 0 ms, had not settled when the run ended/,
  ],
  [
    'that connects',
    "require('net').connect(1, 'h');",
    3,
    /UNKNOWN: p1: .* net\.connect to h:1 \(lock-\d+\.ts:7:/,
  ],
  [
    'that runs a program',
    "require('child_process').execSync('ls');",
    3,
    /UNKNOWN: p1: .* child_process\.execSync: ls \(lock-\d+\.ts:7:/,
  ],
  [
    'that listens',
    "require('net').createServer().listen(1);",
    3,
    /UNKNOWN: p1: .* net\.createServer \(lock-/,
  ],
  [
    'that reads what another machine has not',
    "require('fs').readFileSync('/etc/hosts');",
    3,
    /UNKNOWN: p1: .* fs\.readFile: \/etc\/hosts \(lock-\d+\.ts:7:/,
  ],
  [
    'that has a native addon',
    "require('./addon.node');",
    3,
    /addon\.node is a native addon: .*JavaScript only/,
  ],
  ['that needs functions', "await redis.call('FCALL', 'f', 0);", 3, /simulated servers lack: FCALL/],
  ['that writes', "require('fs').writeFileSync('/x', '');", 3, /UNKNOWN: p1: .* fs\.writeFileSync: \/x \(/],
  ['that fetches', "await fetch('http://h/');", 3, /UNKNOWN: p1: .* fetch to http:\/\/h\/ \(lock-\d+\.ts:7:/],
  [
    'that hides it',
    "try { fetch('/'); } catch {}",
    3,
    /UNKNOWN: p1: .* tried to leave the simulation: fetch/,
  ],
  [
    'that needs more of Redis',
    "await redis.call('GEOADD', 'a', '1', '1', 'x');",
    3,
    /simulated servers lack: GEOADD/,
  ],
  ['that grants nothing', 'return;', 3, /acquire\(\) resolved with no grant/],
];

let written = 0;

describe('a lock', () => {
  beforeAll(() => {
    place.write('addon.node', 'ELF');
  });

  it.each(misbehaving)(
    '%s: what and where, and never that it holds',
    async (_what, statement, code, message) => {
      const file = `./lock-${++written}.ts`; // A module is read once.
      place.write(file, withFirst(statement));
      const ended = await inProcess(['run', 'S1', '--lock', file, '--json']);
      expect(ended.stderr.replace(/\s+/g, ' ')).toMatch(message);
      expect(ended.code).toBe(code);
      const { verdicts } = JSON.parse(ended.stdout) as { verdicts: Record<string, { verdict: string }> };
      expect(Object.values(verdicts).map(({ verdict }) => verdict)).not.toContain('holds');
    },
  );
});
