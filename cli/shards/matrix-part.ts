/** The partial result of a matrix, `lockpick/matrix-shard@1`: every n-th cell. */
import path from 'node:path';
import * as z from 'zod';
import type { MatrixCell } from '../../reports/terminal/matrix.js';
import { canonicalJson } from '../../sim/history/jsonl.js';
import { VERSION } from '../../sim/version.js';
import { CommandError } from '../exit.js';
import type { Shard } from '../flags.js';
import { check, checkWhole, partSchema } from './parts.js';

export const MATRIX_PART = 'lockpick/matrix-shard@1';

export interface ExecutedCell extends MatrixCell {
  readonly exitCode: number;
  readonly history: string | null;
}

export interface MatrixResult {
  readonly cells: readonly ExecutedCell[];
  readonly planned: number;
  readonly seconds: number;
  readonly interrupted: boolean;
}

const count = z.int().nonnegative();

/** What merging relies on; all of it was written by this very version. */
const matrixPartSchema = partSchema.extend({
  format: z.literal(MATRIX_PART),
  /** What was asked for: the cells of the whole and the flags that change them. */
  asked: z.strictObject({ cells: z.array(z.string()), flags: z.array(z.string()) }),
  /** In order; fewer than its share where the part was interrupted. */
  cells: z.array(
    z.looseObject({ scenario: z.string(), lock: z.string(), seed: count, verdicts: z.looseObject({}) }),
  ),
  seconds: z.number().nonnegative(),
  interrupted: z.boolean(),
});

export interface MatrixAsked {
  /** `<scenario> <lock>` of every cell of the whole. */
  readonly cells: readonly string[];
  /** Flags that change all cells, as they are typed. */
  readonly flags: readonly string[];
}

export function matrixPartFile(out: string, { index, of }: Shard): string {
  return path.join(out, `matrix-shard${index}of${of}.json`);
}

export function matrixPart(result: MatrixResult, asked: MatrixAsked, shard: Shard): object {
  const { cells, seconds, interrupted } = result;
  return { format: MATRIX_PART, lockpick: VERSION, shard, asked, cells, seconds, interrupted };
}

/** @throws CommandError, FileFormatError */
export function mergeMatrixParts(documents: readonly { file: string; document: unknown }[]): {
  readonly result: MatrixResult;
  readonly asked: MatrixAsked;
} {
  const files = checkWhole(
    documents.map(({ file, document }) => ({ file, part: check(matrixPartSchema, document, file) })),
  );
  const [first] = files;
  const { asked } = first!.part;
  for (const { file, part } of files)
    if (canonicalJson(part.asked) !== canonicalJson(asked))
      throw new CommandError(
        `${file} and ${first!.file} are parts of different matrices: they were asked for different cells`,
      );
  const parts = files.map(({ part }) => part.cells as unknown as readonly ExecutedCell[]);
  const longest = Math.max(...parts.map(({ length }) => length));
  const cells = Array.from({ length: longest }, (_, row) => parts.flatMap((part) => part[row] ?? [])).flat();
  return {
    result: {
      cells,
      planned: asked.cells.length,
      seconds: files.reduce((sum, { part }) => sum + part.seconds, 0),
      interrupted: files.some(({ part }) => part.interrupted),
    },
    asked,
  };
}
