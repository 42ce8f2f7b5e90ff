import { builtin } from './builtins.js';
import type { LockBundle } from './bundle.js';
import { HEADER_LINES } from './realm/compile.js';

interface SourceMap {
  findEntry(
    line: number,
    column: number,
  ): { originalSource?: string; originalLine?: number; originalColumn?: number };
}

interface SourceMapHost {
  SourceMap: new (payload: unknown) => SourceMap;
}

/** Where a sealed program's code came from. */
export interface Place {
  /** Relative to the root of the entry's package. */
  readonly file: string;
  /** Counted from 1, as the column. */
  readonly line: number;
  readonly column: number;
}

/**
 * The place in the program's own sources of a stack's first frame that is the user's, or else in a package; null: no frame is the
 * program's.
 */
export function placeOf(bundle: LockBundle, stack: string | undefined): Place | null {
  const host = builtin('module') as SourceMapHost | undefined;
  const url = `sealed/${bundle.entry}:`;
  const frames = stack?.split('\n').filter((line) => line.includes(url)) ?? [];
  if (frames.length === 0 || host?.SourceMap === undefined) return null;
  const map = new host.SourceMap(JSON.parse(bundle.sourceMap));
  const places = frames.flatMap((frame) => originalOf(map, frame) ?? []);
  return places.find(({ file }) => !file.includes('node_modules/')) ?? places[0] ?? null;
}

function originalOf(map: SourceMap, frame: string): Place | null {
  const position = /:(\d+):(\d+)\)?$/.exec(frame);
  if (position === null) return null;
  const entry = map.findEntry(Number(position[1]) - 1 - HEADER_LINES, Number(position[2]) - 1);
  if (entry.originalSource === undefined || entry.originalLine === undefined) return null;
  return {
    file: inPackages(entry.originalSource),
    line: entry.originalLine + 1,
    column: (entry.originalColumn ?? 0) + 1,
  };
}

/** A package's file by its path in node_modules, wherever these are on this machine. */
function inPackages(source: string): string {
  const modules = source.lastIndexOf('/node_modules/');
  return modules < 0 ? source : source.slice(modules + 1);
}

/** `src/my-lock.ts:12:5`, or null. */
export function describePlace(bundle: LockBundle, stack: string | undefined): string | null {
  const place = placeOf(bundle, stack);
  return place === null ? null : `${place.file}:${place.line}:${place.column}`;
}
