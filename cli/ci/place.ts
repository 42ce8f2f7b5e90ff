/** Where in a user's lock what is to blame begins, as far as it can be known. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Violation } from '../../properties/verdict.js';
import type { Place } from '../../reports/ci/model.js';
import type { History } from '../../sim/history/events.js';
import type { PropertyId } from '../../sim/scenario/schema.js';
import { isPath } from '../resolve.js';

type Operation = 'acquire' | 'extend' | 'release';

/**
 * The line of the operation that did it, in the lock's file; the file alone where the line can't be told, and nothing for a lock that
 * is no file. Paths are relative to the root of the repository where the CI server says which that is, else to the working directory.
 */
export function placeOf(lock: string, operation: Operation): Place | undefined {
  if (!isPath(lock)) return undefined;
  const root = process.env['GITHUB_WORKSPACE'] ?? process.cwd();
  const file = path.relative(root, path.resolve(lock)).split(path.sep).join('/');
  const line = lineOf(textOf(lock), operation);
  return line === undefined ? { file } : { file, line };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The line where a method or a function of that name is written, counted from 1. */
export function lineOf(text: string, operation: Operation): number | undefined {
  const written = new RegExp(`(?<!\\.|await |\\w)${operation}\\s*(?:=(?!=)|:|\\([^;]*$)`);
  const index = text.split('\n').findIndex((line) => !/^\s*(\/\/|\*|\/\*)/.test(line) && written.test(line));
  return index === -1 ? undefined : index + 1;
}

/** The operation whose command stands last among the evidence; else the one that the property is about. */
export function operationOf(property: PropertyId, violation?: Violation, history?: History): Operation {
  for (const index of [...(violation?.evidence ?? [])].reverse()) {
    const event = history?.events[index];
    if (event !== undefined && 'op' in event && isOperation(event.op)) return event.op;
  }
  return property === 'own-key-only' ? 'release' : 'acquire';
}

function isOperation(word: unknown): word is Operation {
  return word === 'acquire' || word === 'extend' || word === 'release';
}
