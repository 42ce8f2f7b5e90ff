/**
 * What the README shows is what happens: every `$ npx lockpick ...` in a console block is run, with the README's own
 * files beside it, and must print what stands below it. `UPDATE_GOLDENS=1` writes the output into the README.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = path.join(root, 'README.md');
const text = readFileSync(readme, 'utf8');

interface Example {
  readonly command: string;
  readonly output: string;
}

/** `$ command` lines of console blocks, each with the lines up to the next command or the block's end. */
function examples(): Example[] {
  return [...text.matchAll(/^```console\n([^]*?)^```$/gm)].flatMap(([, block]) =>
    block!
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command, ...output] = part.split('\n');
        return { command: command!, output: output.join('\n').trimEnd() };
      }),
  );
}

/** TypeScript blocks that begin with their file's name. */
function files(): { name: string; content: string }[] {
  return [...text.matchAll(/^```ts\n\/\/ (\S+\.ts)\n([^]*?)^```$/gm)].map(([, name, content]) => ({
    name: name!,
    content: content!,
  }));
}

function run(command: string, directory: string): { output: string; stderr: string; status: number | null } {
  const [npx, lockpick, ...args] = command.split(' ');
  expect([npx, lockpick], command).toEqual(['npx', 'lockpick']);
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [path.join(root, 'cli', 'lockpick.mjs'), ...args],
    { cwd: directory, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' } },
  );
  return { output: stdout.replace(/[ \t]+$/gm, '').trimEnd(), stderr, status };
}

describe('README', () => {
  let directory: string;

  beforeAll(() => {
    // Inside the checkout, so that the examples find `lockpick` as an installed user does.
    mkdirSync(path.join(root, 'lockpick-out'), { recursive: true });
    directory = mkdtempSync(path.join(root, 'lockpick-out', 'readme-'));
    for (const { name, content } of files()) writeFileSync(path.join(directory, name), content);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test.each(examples())('$command', ({ command, output }) => {
    const result = run(command, directory);
    expect([0, 1], result.stderr).toContain(result.status);
    if (process.env['UPDATE_GOLDENS'] === '1') {
      const shown = output === '' ? `$ ${command}\n` : `$ ${command}\n${output}\n`;
      writeFileSync(
        readme,
        readFileSync(readme, 'utf8').replace(shown, () => `$ ${command}\n${result.output}\n`),
      );
    } else {
      expect(result.output).toBe(output);
    }
  });

  test('shows a violation, a replay and a lock of one’s own', () => {
    expect(examples().length).toBeGreaterThanOrEqual(3);
    expect(files().length).toBeGreaterThanOrEqual(1);
  });
});
