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

/** A build takes about a second: a claim older than this was left behind by one that was killed. */
const CLAIM_LASTS_MS = 30_000;

/** Builds once, however many commands find the build stale at the same time. */
async function buildIfStale() {
  const claim = path.join(root, 'node_modules', '.lockpick-build');
  while (isStale()) {
    try {
      mkdirSync(claim);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const { mtimeMs } = describe(claim);
      if (mtimeMs > 0 && Date.now() - mtimeMs > CLAIM_LASTS_MS)
        rmSync(claim, { recursive: true, force: true });
      await sleep(50);
      continue;
    }
    const failure = isStale() ? build() : null;
    rmSync(claim, { recursive: true, force: true });
    if (failure === null) return;
    process.stderr.write(`lockpick: the build failed\n${failure}`);
    process.exit(70);
  }
}

/** What the build printed if it failed, else null. */
function build() {
  const script = path.join(root, '.config', 'build.mjs');
  const built = spawnSync(process.execPath, [script, ...(isBench ? ['bench'] : [])], { encoding: 'utf8' });
  return built.status === 0 && existsSync(entry) ? null : `${built.stdout}${built.stderr}`;
}

if (existsSync(path.join(root, 'cli', 'main.ts'))) await buildIfStale();
else if (isBench) {
  process.stderr.write('lockpick: the bench runs in a checkout of lockpick only\n');
  process.exit(2);
}
await import(pathToFileURL(entry).href);
