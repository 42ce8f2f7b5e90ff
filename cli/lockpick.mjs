#!/usr/bin/env node
// The command. In a checkout it rebuilds dist/ when a source is newer than the build; from npm it runs dist/ as it is.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const isBench = process.argv[2] === 'bench';
const entry = path.join(root, 'dist', 'cli', isBench ? 'bench/main.js' : 'main.js');

/** Newest modification time of the sources under a path, in milliseconds. */
function newest(place) {
  const { mtimeMs, isDirectory } = describe(place);
  if (!isDirectory) return /\.(ts|mjs|js|json)$/.test(place) && !place.endsWith('.test.ts') ? mtimeMs : 0;
  return Math.max(0, ...readdirSync(place).map((name) => newest(path.join(place, name))));
}

function describe(place) {
  const stats = statSync(place, { throwIfNoEntry: false });
  return { mtimeMs: stats?.mtimeMs ?? 0, isDirectory: stats?.isDirectory() ?? false };
}

function isStale() {
  if (!existsSync(entry)) return true;
  const built = statSync(entry).mtimeMs;
  const sources = ['src', 'sim', 'properties', 'reports', 'cli', 'package.json', '.config/build.mjs'];
  return sources.some((source) => newest(path.join(root, source)) > built);
}

/** Builds once, however many commands find the build stale at the same time. */
async function buildIfStale() {
  const claim = path.join(root, 'node_modules', '.lockpick-build');
  for (let waitedMs = 0; isStale(); waitedMs += 50) {
    try {
      mkdirSync(claim);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      // Left behind by a build that was killed: builds take about a second.
      if (waitedMs >= 30_000) rmSync(claim, { recursive: true, force: true });
      await sleep(50);
      continue;
    }
    try {
      if (!isStale()) return;
      const what = isBench ? ['bench'] : [];
      const build = spawnSync(process.execPath, [path.join(root, '.config', 'build.mjs'), ...what], {
        encoding: 'utf8',
      });
      if (build.status === 0 && existsSync(entry)) return;
      process.stderr.write(`lockpick: the build failed\n${build.stdout}${build.stderr}`);
      process.exit(70);
    } finally {
      rmSync(claim, { recursive: true, force: true });
    }
  }
}

if (existsSync(path.join(root, 'cli', 'main.ts'))) await buildIfStale();
await import(pathToFileURL(entry).href);
