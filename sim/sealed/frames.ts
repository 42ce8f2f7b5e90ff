import { builtin } from './builtins.js';
import type { LockBundle } from './bundle.js';
import { HEADER_LINES } from './realm/compile.js';

interface SourceMapHost {
  SourceMap: new (payload: unknown) => {
    findEntry(
      line: number,
      column: number,
    ): { originalSource?: string; originalLine?: number; originalColumn?: number };
  };
}

/** Where a sealed program's code came from. */
export interface Place {
  /** Relative to the root of the entry's package. */
  readonly file: string;
  /** Counted from 1, as the column. */
  readonly line: number;
  readonly column: number;
}

/** The place in the program's own sources of the first frame of a stack that is the program's; null: none is. */
export function placeOf(bundle: LockBundle, stack: string | undefined): Place | null {
  const url = `sealed/${bundle.entry}:`;
  const frame = stack?.split('\n').find((line) => line.includes(url));
  const position = frame === undefined ? null : /:(\d+):(\d+)\)?$/.exec(frame);
  const host = builtin('module') as SourceMapHost | undefined;
  if (position === null || host?.SourceMap === undefined) return null;
  const map = new host.SourceMap(JSON.parse(bundle.sourceMap));
  const entry = map.findEntry(Number(position[1]) - 1 - HEADER_LINES, Number(position[2]) - 1);
  if (entry.originalSource === undefined || entry.originalLine === undefined) return null;
  return {
    file: entry.originalSource,
    line: entry.originalLine + 1,
    column: (entry.originalColumn ?? 0) + 1,
  };
}

/** `src/my-lock.ts:12:5`, or null. */
export function describePlace(bundle: LockBundle, stack: string | undefined): string | null {
  const place = placeOf(bundle, stack);
  return place === null ? null : `${place.file}:${place.line}:${place.column}`;
}
