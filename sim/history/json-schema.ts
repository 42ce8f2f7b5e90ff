import * as z from 'zod';
import { counterexampleSchema } from './counterexample.js';
import { eventSchema, headerSchema } from './events.js';

type Schema = Record<string, unknown>;

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

function bare(schema: z.ZodType): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema) as Schema;
  return rest;
}

/** `lockpick/history@1` as JSON Schema: of one line of the file. The first line is a header, each other one an event. */
export function historyJsonSchema(): Schema {
  return {
    $schema: DRAFT,
    $id: 'urn:lockpick:history@1',
    title: 'lockpick/history@1: one line',
    description: 'JSON Lines. The first line is a header, every following line an event.',
    anyOf: [{ $ref: '#/$defs/header' }, { $ref: '#/$defs/event' }],
    $defs: { header: bare(headerSchema), event: bare(eventSchema) },
  };
}

/** `lockpick/counterexample@1` as JSON Schema. */
export function counterexampleJsonSchema(): Schema {
  return {
    $schema: DRAFT,
    $id: 'urn:lockpick:counterexample@1',
    title: 'lockpick/counterexample@1',
    ...bare(counterexampleSchema),
  };
}
