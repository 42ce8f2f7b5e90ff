import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { history } from '../../properties/testing/history.js';
import { scenarioJsonSchema } from '../scenario/json-schema.js';
import { writeWhole } from './file.js';
import { historyLines } from './jsonl.js';
import { counterexampleJsonSchema, historyJsonSchema } from './json-schema.js';

const directory = fileURLToPath(new URL('../../docs/schemas/', import.meta.url));
const SCHEMAS = {
  'history.json': historyJsonSchema(),
  'scenario.json': scenarioJsonSchema(),
  'counterexample.json': counterexampleJsonSchema(),
};

describe('published schemas', () => {
  it.each(Object.entries(SCHEMAS))(
    'docs/schemas/%s is current (UPDATE_DOCS=1 rewrites it)',
    (name, schema) => {
      const file = path.join(directory, name);
      const text = `${JSON.stringify(schema, undefined, 2)}\n`;
      if (process.env['UPDATE_DOCS'] === '1') writeWhole(file, [text]);
      expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(text);
    },
  );

  it('accepts the lines of a history, and no others', () => {
    const validate = new Ajv2020({ strict: false }).compile(historyJsonSchema());
    const written = history({ servers: 3 })
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988, release: 30, gone: 32 })
      .use('p1/1/1', 5, 7, 'read')
      .pause('p1', 8, 20, true)
      .build();
    for (const line of historyLines(written)) expect(validate(JSON.parse(line)), line).toBe(true);
    expect(validate({ i: 0, tUs: 1.5, host: 'world', kind: 'tail' })).toBe(false);
    expect(validate({ i: 0, tUs: 1, host: 'world', kind: 'lunch' })).toBe(false);
  });

  it('accepts what people write as a scenario', () => {
    const validate = new Ajv2020({ strict: false }).compile(scenarioJsonSchema());
    expect(
      validate({ id: 'mine', servers: { count: 3 }, faults: [{ atMs: 5, do: 'crash', host: 'p1' }] }),
    ).toBe(true);
    expect(validate({ id: 'mine', servers: { cout: 3 } })).toBe(false);
  });
});
