import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Command } from 'commander';
import { writeWhole } from '../sim/history/file.js';
import { CommandError } from './exit.js';
import { starterFiles } from './init/files.js';
import { print, shellWord } from './output.js';

interface Options {
  readonly js?: boolean;
  readonly force?: boolean;
}

export function addInitVerb(program: Command): void {
  program
    .command('init')
    .description('write a starter lock and its vitest test, to put your own in its place')
    .argument('[dir]', 'where to', '.')
    .option('--js', 'JavaScript instead of TypeScript')
    .option('--force', 'overwrite files that are there')
    .addHelpText(
      'after',
      `
Writes my-lock.ts, a small lock on one Redis server that works, and my-lock.test.ts, which checks it. Then:
  npx lockpick run S1 --lock ./my-lock.ts      one failure, with a full report
  npx vitest run my-lock.test.ts               the failures of the catalogue, and generated ones
  npx lockpick hunt --lock ./my-lock.ts        a longer search

Exit codes: 0 written, 2 a file is there already or the directory can't be written.`,
    )
    .action((directory: string, options: Options) => {
      const files = starterFiles(options.js === true ? 'js' : 'ts');
      const places = files.map(({ name }) => path.join(directory, name));
      if (options.force !== true) refuseExisting(places);
      files.forEach(({ text }, index) => writeWhole(places[index]!, [text]));
      print(nextSteps(directory, places, files[0]!.name, files[1]!.name));
    });
}

function refuseExisting(places: readonly string[]): void {
  const there = places.filter((place) => existsSync(place));
  if (there.length === 0) return;
  const are = there.length === 1 ? 'is there already' : 'are there already';
  throw new CommandError(
    `${there.join(' and ')} ${are}, nothing was written: --force overwrites, another directory leaves alone`,
  );
}

function nextSteps(directory: string, places: readonly string[], lock: string, test: string): string {
  const missing = ['lockpick', 'vitest'].filter((name) => !isInstalled(name, directory));
  const commands = [
    ...(path.resolve(directory) === process.cwd() ? [] : [`cd ${shellWord(directory)}`]),
    ...(missing.length === 0 ? [] : [`npm i -D ${missing.join(' ')}`]),
    `npx lockpick run S1 --lock ./${lock}`,
    `npx vitest run ${test}`,
    `npx lockpick hunt --lock ./${lock}`,
  ];
  return [
    `Written: ${places.join(', ')}`,
    '',
    `Put your own lock into ${places[0]}, then:`,
    ...commands.map((command) => `  ${command}`),
  ].join('\n');
}

/** Whether a module in the directory would find the package. */
function isInstalled(name: string, directory: string): boolean {
  const lookUp = createRequire(path.join(path.resolve(directory), 'x.js')).resolve.paths(name) ?? [];
  return lookUp.some((place) => existsSync(path.join(place, name, 'package.json')));
}
