import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Campaign } from '../campaign.js';
import { loadLock, type LoadedLock } from '../load.js';
import { simulate } from '../run.js';
import { parseScenario } from '../scenario/parse.js';
import { ProcessVerifier } from './process-verifier.js';
import { eventsText, InlineVerifier, ReuseMismatch, type Verifier } from './verifier.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scenario = parseScenario({ id: 'reuse', processes: { count: 2 } });

/** Inside the package, where the built entry point finds its dependencies. */
let folder: string;
let steady: LoadedLock;
let forgetful: LoadedLock;

async function lockFile(name: string, body: string): Promise<LoadedLock> {
  const entry = path.join(folder, name);
  await writeFile(
    entry,
    `let acquired = 0;
     export default { name: 'test', servers: 1, connect({ clients: [client] }) { return {
       async acquire(resource, { ttlMs }) { ${body} await client.set(resource, 'x', 'PX', ttlMs); return { async release() {} }; } }; } };`,
  );
  return loadLock({ name, entry, from: root });
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(root, 'node_modules', '.lockpick-reuse-'));
  steady = await lockFile('steady.js', '');
  forgetful = await lockFile('stateful.js', 'if (acquired++ > 0) await client.get(resource);');
  await build({
    entryPoints: [path.join(root, 'sim/reuse/verify-process.ts')],
    outfile: path.join(folder, 'verify-process.mjs'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function verifier(where: string, lock: LoadedLock): Verifier {
  if (where === 'here') return new InlineVerifier(scenario, lock);
  return new ProcessVerifier(pathToFileURL(path.join(folder, 'verify-process.mjs')), scenario, lock);
}

describe.each(['here', 'beside'])('runs repeated %s', (where) => {
  it('come out the same where nothing is carried from run to run', async () => {
    const campaign = new Campaign(scenario, steady, { verifier: verifier(where, steady) });
    let seen = 0;
    await campaign.runAll(Array(130).keys(), () => seen++);
    await campaign.finish();
    expect(seen).toBe(130);
  });

  it('come out otherwise where a module remembers earlier runs', async () => {
    const campaign = new Campaign(scenario, forgetful, { verifier: verifier(where, forgetful) });
    const all = campaign.runAll(Array(130).keys(), () => {}).then(() => campaign.finish());
    await expect(all).rejects.toThrow(ReuseMismatch);
  });

  it('are compared event by event', async () => {
    const history = await simulate(scenario, steady);
    const strict = verifier(where, steady);
    strict.expect(scenario.seed, eventsText(history));
    await strict.settle(0);
    strict.expect(scenario.seed, eventsText(history).replace('"i":3', '"i":4'));
    await expect(strict.settle(0)).rejects.toThrow(`seed ${scenario.seed}`);
    strict.close();
  });
});

it('a campaign without reuse repeats nothing', async () => {
  const campaign = new Campaign(scenario, forgetful, { reuse: false });
  await campaign.runAll(Array(130).keys(), () => {});
  await campaign.finish();
});
