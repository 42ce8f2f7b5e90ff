/** What the house promises about itself and no linter rule can say. */
import { build, type BuildFailure, type Plugin } from 'esbuild';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Doors to Node: what reads files, bundles programs or needs a package that does. Nothing else may need more than a browser. */
const NODE_ONLY: ReadonlySet<string> = new Set([
  'reports/ci/junit.ts',
  'reports/terminal/matrix.ts',
  'sim/history/file.ts',
  'sim/load.ts',
  'sim/redis/lua/bridge.ts',
  'sim/redis/lua/fengari.ts',
  'sim/redis/lua/lua51.ts',
  'sim/redis/lua/sandbox.ts',
  'sim/redis/mock/load.ts',
  'sim/reuse/verify-process.ts',
  'sim/reuse/process-verifier.ts',
  'sim/sealed/bundle-plugins.ts',
  'sim/sealed/bundle.ts',
  'sim/sealed/installed.ts',
  'sim/sealed/node-builtins.ts',
  'sim/sealed/shipped.ts',
  'sim/transport/wire/bundle.ts',
  'sim/transport/wire/programs/ioredis.ts',
  'sim/transport/wire/programs/redis.ts',
  'src/resolve.ts',
]);

/** What tests share. */
const TEST_SUPPORT = /(^sim\/redis\/conformance\/|^properties\/campaign\/|\/testing\b)/;

function sources(...folders: string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.posix.join(folder, file.replaceAll('\\', '/')),
      ),
    )
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('.d.ts'))
    .filter((file) => !TEST_SUPPORT.test(file))
    .sort();
}

/** Locks draw their values from `node:crypto`; inside a sealed process that is the process's own stream, in a browser too. */
const cryptoOfTheSeal: Plugin = {
  name: 'crypto-of-the-seal',
  setup({ onResolve }) {
    onResolve({ filter: /^node:crypto$/ }, ({ importer }) =>
      importer.startsWith(path.join(root, 'src')) ? { path: 'node:crypto', external: true } : undefined,
    );
  },
};

async function bundleForBrowser(entryPoints: readonly string[]): Promise<string[]> {
  try {
    await build({
      absWorkingDir: root,
      entryPoints: [...entryPoints],
      bundle: true,
      write: false,
      outdir: 'unused',
      platform: 'browser',
      format: 'esm',
      logLevel: 'silent',
      plugins: [cryptoOfTheSeal],
    });
    return [];
  } catch (error) {
    return (error as BuildFailure).errors.map(({ text, location }) => `${location?.file ?? ''}: ${text}`);
  }
}

describe('architecture', () => {
  test('locks, simulator, properties and reports bundle for a browser, but for the doors to Node', async () => {
    const files = sources('src', 'sim', 'properties', 'reports').filter(
      (file) => !file.startsWith('src/adapters/'),
    );
    const core = files.filter((file) => !NODE_ONLY.has(file));
    expect(core.length).toBeGreaterThan(50);
    expect(await bundleForBrowser(core)).toEqual([]);
  });

  test('the doors to Node are exactly those that need it', async () => {
    for (const door of NODE_ONLY) {
      expect(existsSync(path.join(root, door)), door).toBe(true);
      const problems = await bundleForBrowser([door]);
      expect(problems.join('\n'), door).toMatch(/Could not resolve "/);
    }
  });

  test('the lock file names versions and hashes, not addresses', () => {
    const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { resolved?: string; link?: boolean; integrity?: string }>;
    };
    const packages = Object.entries(lock.packages).filter(([name]) => name !== '');
    expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(packages.filter(([, { integrity }]) => integrity === undefined).map(([name]) => name)).toEqual([]);
  });

  test('public numbers carry their unit: no bare ttl, timeout or delay in a contract', () => {
    const contracts = ['src/contract.ts', 'sim/scenario/schema.ts', 'sim/history/events.ts'];
    for (const file of contracts) {
      const text = readFileSync(path.join(root, file), 'utf8');
      expect(
        text.match(/^\s+(readonly )?(ttl|timeout|delay|latency|duration|offset|drift)\??: (number|ms|z)/gm),
      ).toBe(null);
    }
  });
});
