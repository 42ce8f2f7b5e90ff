/** `npm run conformance`: as many sequences as one likes. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import '../lua/fengari.js';
import { createNativeKeyspace } from '../native/keyspace.js';
import { campaign } from './campaign.js';
import { FAMILIES } from './families/all.js';
import { KeyspaceSubject } from './keyspace-subject.js';
import { mockTable, TABLE_FILE } from './mock-table.js';
import { missing, RealSubject } from './real-subject.js';

const USAGE = `usage: npm run conformance -- [--runs n] [--seed n] [--family name]
       npm run conformance -- --table     writes ${TABLE_FILE} anew
families: ${Object.keys(FAMILIES).join(', ')}`;

function fail(text: string, code: number): never {
  process.stderr.write(`${text}\n`);
  process.exit(code);
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        runs: { type: 'string' },
        seed: { type: 'string' },
        family: { type: 'string', multiple: true },
        table: { type: 'boolean' },
      },
    });
    const runs = Number(values.runs ?? 2000);
    const seed = Number(values.seed ?? Math.floor(Date.now() / 1000));
    const families = values.family ?? Object.keys(FAMILIES);
    const unknown = families.find((family) => !(family in FAMILIES));
    if (unknown !== undefined) fail(`no family ${unknown}\n${USAGE}`, 2);
    if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed)) fail(USAGE, 2);
    return { runs, seed, families, table: values.table ?? false };
  } catch (error) {
    fail(`${String((error as Error).message)}\n${USAGE}`, 2);
  }
}

async function writeTable(real: RealSubject): Promise<number> {
  try {
    writeFileSync(TABLE_FILE, await mockTable(real, (family) => process.stdout.write(`${family}\n`)));
    return 0;
  } finally {
    real.stop();
  }
}

async function main(): Promise<number> {
  const options = readOptions();
  const lacking = missing();
  if (lacking !== undefined) fail(`conformance: ${lacking}`, 2);
  const real = await RealSubject.start();
  if (options.table) return writeTable(real);
  const other = new KeyspaceSubject('native', createNativeKeyspace);
  process.stdout.write(`${options.runs} sequences, seed ${options.seed}, native beside ${real.name}\n`);
  const started = Date.now();
  let next = 1000;
  try {
    const { runs, failure } = await campaign({
      ...options,
      real,
      other,
      progress: (done) => {
        if (done < next) return;
        next = done + 1000;
        process.stdout.write(`${done} sequences, ${Math.round((Date.now() - started) / 1000)} s\n`);
      },
    });
    for (const [family, count] of runs) process.stdout.write(`${family}: ${count} without a difference\n`);
    if (failure === undefined) return 0;
    process.stdout.write(`\nDIFFERENCE\n${failure}\n`);
    return 1;
  } finally {
    real.stop();
  }
}

process.exitCode = await main();
