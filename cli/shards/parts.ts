/** Partial results as files, and when they make a whole. */
import * as z from 'zod';
import { readText, writeWhole } from '../../sim/history/file.js';
import { FileFormatError, parseDocument } from '../../sim/history/read.js';
import { VERSION } from '../../sim/version.js';
import { CommandError } from '../exit.js';
import type { Shard } from '../flags.js';

/** What every partial result says of itself. */
export const partSchema = z.object({
  format: z.string(),
  lockpick: z.string().min(1),
  shard: z.strictObject({ index: z.int().positive(), of: z.int().positive() }),
});
export type Part = z.output<typeof partSchema>;

/** A partial result and where it came from. */
export interface PartFile<P extends Part = Part> {
  readonly file: string;
  readonly part: P;
}

export function writePart(file: string, part: object): void {
  writeWhole(file, [`${JSON.stringify(part, undefined, 1)}\n`]);
}

/** The file's document as far as all parts are alike. @throws FileFormatError */
export function readPart(file: string, formats: readonly string[]): { part: Part; document: unknown } {
  const document = parseDocument(readText(file), file);
  const { format } = (document ?? {}) as { format?: unknown };
  if (typeof format !== 'string' || !formats.includes(format))
    throw new FileFormatError(
      file,
      1,
      `not a partial result (${formats.join(', ')}): ${typeof format === 'string' ? `its format is \`${format}\`` : 'it has no `format`'}`,
    );
  return { part: check(partSchema, document, file), document };
}

export function check<T>(schema: z.ZodType<T>, document: unknown, file: string): T {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new FileFormatError(file, 1, `${path.join('.')}: ${message}`);
}

/** In the order of the parts. @throws CommandError unless the files are the parts of one whole, each once, by this lockpick */
export function checkWhole<P extends Part>(files: readonly PartFile<P>[]): readonly PartFile<P>[] {
  const ordered = [...files].sort((a, b) => a.part.shard.index - b.part.shard.index);
  const [first] = ordered;
  if (first === undefined) throw new CommandError('no files to merge');
  const { of } = first.part.shard;
  for (const { file, part } of ordered) {
    if (part.format !== first.part.format)
      throw new CommandError(`${file} is a ${part.format} and ${first.file} a ${first.part.format}`);
    if (part.lockpick !== VERSION)
      throw new CommandError(
        `${file} was written by lockpick ${part.lockpick}, and this is ${VERSION}: run its part again`,
      );
    if (part.shard.of !== of)
      throw new CommandError(
        `${file} is ${show(part.shard)} and ${first.file} ${show(first.part.shard)}: they are parts of different wholes`,
      );
  }
  for (let index = 1; index <= of; index++) {
    const those = ordered.filter(({ part }) => part.shard.index === index);
    if (those.length > 1)
      throw new CommandError(
        `${those.map(({ file }) => file).join(' and ')} are both ${show({ index, of })}`,
      );
    if (those.length === 0) throw new CommandError(`the part ${show({ index, of })} is missing`);
  }
  return ordered;
}

function show({ index, of }: Shard): string {
  return `${index}/${of}`;
}
