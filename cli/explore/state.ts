/** How far an exploration has got: which parts are done and what came of them. It goes on from there, here or from a file. */
import { existsSync } from 'node:fs';
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ExplorePlan, Stretch } from '../../properties/search/explore/explore.js';
import type { ExploreSpec } from '../../properties/search/explore/spec.js';
import { add, NOTHING, type Tally } from '../../properties/search/explore/tally.js';
import { readText, writeWhole } from '../../sim/history/file.js';
import { canonicalJson } from '../../sim/history/jsonl.js';
import { parseDocument } from '../../sim/history/read.js';
import type { LoadedLock } from '../../sim/load.js';
import { VERSION } from '../../sim/version.js';
import { CommandError } from '../exit.js';

export type Stage = 'singles' | 'rest';

/** What sums it up is there; the schedules in it are lockpick's own. */
function isTally(value: unknown): boolean {
  const { sorts, smallest, ...counts } = (value ?? {}) as Partial<Tally>;
  const { schedules, violating, granted, judged } = counts;
  const areCounts = [schedules, violating, granted, judged].every(Number.isSafeInteger);
  return areCounts && typeof sorts === 'object' && typeof smallest === 'object';
}

const parts = z.array(z.tuple([z.int().min(0), z.int().min(0)]));
const fileSchema = z.strictObject({
  format: z.literal('lockpick/exploration@1'),
  lockpick: z.string(),
  /** Of the spec and the lock's bundle: another exploration has another. */
  key: z.string(),
  done: z.strictObject({ singles: parts, rest: parts }),
  /** Parts of the rest that were left in their midst, and what each has reached. */
  begun: z.array(z.tuple([z.int().min(0), z.array(z.int())])),
  tally: z.custom<Tally>(isTally),
});

type Saved = z.output<typeof fileSchema>;

export class ExploreState {
  tally: Tally = NOTHING;
  private done: Record<Stage, [number, number][]> = { singles: [], rest: [] };
  private begun = new Map<number, readonly number[]>();
  private readonly key: string;

  /**
   * @param file what is done is kept in it; undefined: nowhere
   * @param anew what the file may have is not trusted
   */
  constructor(
    spec: ExploreSpec,
    lock: LoadedLock,
    private readonly file: string | undefined,
    anew = false,
  ) {
    const { reuse: _, ...decides } = spec;
    this.key = createHash('sha256').update(canonicalJson(decides)).update(lock.bundle.hash).digest('hex');
    if (file !== undefined && !anew && existsSync(file)) this.load(file);
  }

  private load(file: string): void {
    const found = fileSchema.safeParse(parseDocument(readText(file), file));
    if (!found.success) throw new CommandError(`${file} is no lockpick/exploration@1 file`);
    const { lockpick, key, done, begun, tally } = found.data;
    if (lockpick !== VERSION)
      throw new CommandError(`${file} was written by lockpick ${lockpick}, this is ${VERSION}: begin anew`);
    if (key !== this.key)
      throw new CommandError(
        `${file} is of another exploration: the scenario, the lock's code or an option has changed`,
      );
    this.done = done;
    this.begun = new Map(begun);
    this.tally = tally;
  }

  /** Parts of the stage that are not done yet, in ranges of at most `most`. */
  missing(stage: Stage, plan: ExplorePlan, most: number): readonly [number, number][] {
    const isDone = Array.from({ length: plan.parts }, () => false);
    for (const [from, to] of this.done[stage]) isDone.fill(true, from, to);
    const ranges: [number, number][] = [];
    for (let part = 0; part < plan.parts; part++) {
      if (isDone[part]!) continue;
      const last = ranges.at(-1);
      if (last !== undefined && last[1] === part && part - last[0] < most) last[1]++;
      else ranges.push([part, part + 1]);
    }
    return ranges;
  }

  tookSingles(from: number, to: number, tally: Tally): void {
    this.tally = add(this.tally, tally);
    this.finish('singles', from, to);
  }

  /** What the part of the rest has reached; empty: it has not begun. */
  reached(part: number): readonly number[] {
    return this.begun.get(part) ?? [];
  }

  tookStretch(part: number, { tally, reached }: Stretch): void {
    this.tally = add(this.tally, tally);
    if (reached !== null) {
      this.begun.set(part, reached);
      return;
    }
    this.begun.delete(part);
    this.finish('rest', part, part + 1);
  }

  private finish(stage: Stage, from: number, to: number): void {
    this.done[stage] = merged([...this.done[stage], [from, to]]);
  }

  /** Writes what is done to the file, if there is one. */
  save(): void {
    if (this.file === undefined) return;
    const { key, done, tally } = this;
    const begun = [...this.begun].map(([part, reached]): [number, number[]] => [part, [...reached]]);
    const saved: Saved = { format: 'lockpick/exploration@1', lockpick: VERSION, key, done, begun, tally };
    writeWhole(this.file, [`${JSON.stringify(saved)}\n`]);
  }
}

/** The same ranges, with those that touch made one. */
function merged(ranges: [number, number][]): [number, number][] {
  const joined: [number, number][] = [];
  for (const [from, to] of ranges.sort(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last !== undefined && last[1] === from) last[1] = to;
    else joined.push([from, to]);
  }
  return joined;
}
