import * as z from 'zod';
import { scenarioSchema } from './schema.js';

/** The part of JSON Schema (draft 2020-12) that the scenario's schema uses. */
export interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: boolean | JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly [keyword: string]: unknown;
}

let cached: JsonSchema | undefined;

/** `lockpick/scenario@1` as JSON Schema: what people may write, defaults included. */
export function scenarioJsonSchema(): JsonSchema {
  cached ??= {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:lockpick:scenario@1',
    title: 'lockpick/scenario@1',
    ...(z.toJSONSchema(scenarioSchema, { io: 'input' }) as JsonSchema),
  };
  return cached;
}
