/** Walks the scenario's schema along a path, so that errors can say what is expected there and which names are near. */
import { scenarioJsonSchema, type JsonSchema } from './json-schema.js';

export type Path = readonly (string | number)[];

export function showPath(path: Path): string {
  return path.join('.');
}

function variants(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf ?? schema.oneOf ?? [schema];
}

function discriminates(property: JsonSchema | undefined, value: unknown): boolean {
  return property?.const === undefined || property.const === value;
}

/** The variants of a union whose constants agree with the value there; all of them if none does. */
function matching(schema: JsonSchema, value: unknown): readonly JsonSchema[] {
  const all = variants(schema);
  if (all.length === 1 || typeof value !== 'object' || value === null) return all;
  const members = value as Record<string, unknown>;
  const fitting = all.filter((variant) =>
    Object.entries(variant.properties ?? {}).every(([name, property]) =>
      discriminates(property, members[name]),
    ),
  );
  return fitting.length > 0 ? fitting : all;
}

function child(schema: JsonSchema, key: string | number): JsonSchema | undefined {
  const property = schema.properties?.[key];
  if (property !== undefined) return property;
  const index = Number(key);
  if (schema.prefixItems !== undefined) return schema.prefixItems[index];
  if (typeof schema.items === 'object' && Number.isInteger(index)) return schema.items;
  const rest = schema.additionalProperties;
  if (typeof rest === 'object') return rest;
  return rest === true ? {} : undefined;
}

/** What the schema says at a path of a scenario: several where it allows several, none where the path doesn't exist. */
export function schemasAt(path: Path, scenario: unknown): readonly JsonSchema[] {
  let schemas: readonly JsonSchema[] = [scenarioJsonSchema()];
  let value: unknown = scenario;
  for (const key of path) {
    schemas = schemas
      .flatMap((schema) => matching(schema, value))
      .map((schema) => child(schema, key))
      .filter((schema) => schema !== undefined);
    value = memberOf(value, key);
  }
  return schemas.flatMap((schema) => matching(schema, value));
}

export function memberOf(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key]
    : undefined;
}

export function valueAt(path: Path, scenario: unknown): unknown {
  return path.reduce<unknown>((value, key) => memberOf(value, key), scenario);
}

/** Names that the schema knows inside the object at a path. */
export function namesAt(path: Path, scenario: unknown): string[] {
  const names = schemasAt(path, scenario).flatMap((schema) => Object.keys(schema.properties ?? {}));
  return [...new Set(names)];
}

/** Every path that `--set` could take in this scenario, array entries as they are there now. */
export function pathsOf(scenario: unknown): string[] {
  const found: string[] = [];
  const visit = (path: Path, depth: number): void => {
    if (path.length > 0) found.push(showPath(path));
    if (depth === 6) return;
    const value = valueAt(path, scenario);
    const keys: (string | number)[] = Array.isArray(value)
      ? value.map((_, index) => index)
      : [...new Set([...namesAt(path, scenario), ...Object.keys((value as object | undefined) ?? {})])];
    if (typeof value === 'string') return;
    for (const key of keys) visit([...path, key], depth + 1);
  };
  visit([], 0);
  return found;
}

function range(schema: JsonSchema): string {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
  const least = minimum !== undefined ? ` of at least ${minimum}` : undefined;
  const more = exclusiveMinimum !== undefined ? ` above ${exclusiveMinimum}` : undefined;
  const most = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? `at most ${maximum}` : undefined;
  const less = exclusiveMaximum !== undefined ? `below ${exclusiveMaximum}` : undefined;
  const lower = least ?? more ?? '';
  const upper = most ?? less;
  return upper === undefined ? lower : lower === '' ? ` ${upper}` : `${lower} and ${upper}`;
}

function describeOne(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return `one of ${schema.enum.map(String).join(', ')}`;
  if (schema.prefixItems !== undefined) return 'a pair [least, most]';
  switch (schema.type) {
    case 'number':
      return `a number${range(schema)}`;
    case 'integer':
      return `a whole number${range(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'string':
      return 'a text';
    case 'array':
      return 'a list';
    case 'null':
      return 'null';
    case 'object':
      return 'an object';
    default:
      return 'any value';
  }
}

/** What is expected at a path, in words. */
export function describeAt(path: Path, scenario: unknown): string {
  const schemas = schemasAt(path, scenario);
  const constants = schemas.flatMap((schema) => (schema.const === undefined ? [] : [String(schema.const)]));
  if (constants.length === schemas.length && constants.length > 1)
    return `one of ${[...new Set(constants)].join(', ')}`;
  return [...new Set(schemas.map(describeOne))].join(' or ');
}

/** The words allowed at a path, where it allows only certain words. */
export function wordsAt(path: Path, scenario: unknown): string[] {
  return schemasAt(path, scenario).flatMap((schema) =>
    [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])].map(String),
  );
}
