/** Reads the text of histories and counterexamples, and says exactly where it isn't one. Needs no Node. */
import type * as z from 'zod';
import { parseScenario } from '../scenario/parse.js';
import { counterexampleSchema, type Counterexample } from './counterexample.js';
import { eventSchema, headerSchema, type History, type HistoryEvent, type HistoryHeader } from './events.js';

/** A file that isn't what it should be: `file:line: what`. */
export class FileFormatError extends Error {
  override readonly name = 'FileFormatError';
  constructor(
    readonly source: string,
    readonly line: number,
    what: string,
  ) {
    super(`${source}:${line}: ${what}`);
  }
}

/** JSON of one line, or an error that names the line. */
function parseLine(text: string, source: string, line: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const what =
      text.trim() === '' ? 'the line is empty' : `not JSON: ${inOneLine((error as Error).message)}`;
    throw new FileFormatError(source, line, what);
  }
}

/** What is quoted of a file may hold line breaks. */
function inOneLine(message: string): string {
  return message.replace(/\s+/g, ' ');
}

/** The first problems of a value, as `path: what`, deepest first where a union offers several readings. */
function problemsOf(error: z.ZodError, limit = 3): string {
  const flat = error.issues.flatMap(flatten);
  const shown = flat
    .slice(0, limit)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return flat.length > limit ? `${shown.join('; ')}; and ${flat.length - limit} more` : shown.join('; ');
}

function flatten(issue: z.core.$ZodIssue): { path: string; message: string }[] {
  const prefix = issue.path.map(String);
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const fewest = [...issue.errors].sort((a, b) => a.length - b.length)[0]!;
    return fewest
      .flatMap(flatten)
      .map(({ path, message }) => ({ path: [...prefix, path].filter(Boolean).join('.'), message }));
  }
  return [{ path: prefix.join('.'), message: issue.message }];
}

/** Event schemas by kind, so that a bad event is measured against its own kind and not against all of them. */
const BY_KIND: ReadonlyMap<string, z.ZodType<HistoryEvent>> = indexByKind();

function indexByKind(): Map<string, z.ZodType<HistoryEvent>> {
  const byKind = new Map<string, z.ZodType<HistoryEvent>>();
  for (const option of eventSchema.options) {
    const member = 'options' in option ? option.options[0] : option;
    byKind.set(member.shape.kind.value, option as z.ZodType<HistoryEvent>);
  }
  return byKind;
}

function readHeader(value: unknown, source: string): HistoryHeader {
  const format = (value as { format?: unknown } | null)?.format;
  if (format !== 'lockpick/history@1') {
    const seen = typeof format === 'string' ? `\`${format}\`` : 'no `format`';
    throw new FileFormatError(source, 1, `not a lockpick/history@1 file: its first line has ${seen}`);
  }
  const parsed = headerSchema.safeParse(value);
  if (!parsed.success) throw new FileFormatError(source, 1, `bad header: ${problemsOf(parsed.error)}`);
  return parsed.data;
}

function readEvent(value: unknown, source: string, line: number): HistoryEvent {
  const kind = (value as { kind?: unknown } | null)?.kind;
  const schema = BY_KIND.get(String(kind));
  if (schema === undefined) {
    throw new FileFormatError(source, line, `unknown kind of event ${JSON.stringify(kind) ?? '(none)'}`);
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new FileFormatError(source, line, `bad ${String(kind)} event: ${problemsOf(parsed.error)}`);
  return parsed.data;
}

/**
 * Reads a history: a header, events numbered from 0 in order of true time, and the run's `end` last.
 * @param source what errors call it, usually the file
 * @throws FileFormatError
 */
export function parseHistory(text: string, source = 'history'): History {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  else if (lines.length > 1)
    throw new FileFormatError(source, lines.length, 'the last line is cut off: it has no line feed');
  if (lines.length === 0) throw new FileFormatError(source, 1, 'the file is empty');
  const header = readHeader(parseLine(lines[0]!, source, 1), source);
  const events: HistoryEvent[] = [];
  let atUs = 0;
  for (let index = 1; index < lines.length; index++) {
    const line = index + 1;
    const event = readEvent(parseLine(lines[index]!, source, line), source, line);
    if (event.i !== index - 1)
      throw new FileFormatError(source, line, `event ${event.i} where ${index - 1} was due`);
    if (event.tUs < atUs)
      throw new FileFormatError(source, line, `time runs backwards: ${event.tUs} µs after ${atUs} µs`);
    atUs = event.tUs;
    events.push(event);
  }
  if (events.at(-1)?.kind !== 'end')
    throw new FileFormatError(
      source,
      lines.length,
      'the history has no end: its last event must be of kind `end`',
    );
  return { header, events };
}

/**
 * Reads a counterexample.
 * @throws FileFormatError, or ScenarioError for the scenario in it
 */
export function parseCounterexample(text: string, source = 'counterexample'): Counterexample {
  const value = parseDocument(text, source) as { format?: unknown; scenario?: unknown } | null;
  if (value?.format !== 'lockpick/counterexample@1') {
    const seen =
      typeof value?.format === 'string' ? `its format is \`${value.format}\`` : 'it has no `format`';
    throw new FileFormatError(source, 1, `not a lockpick/counterexample@1 file: ${seen}`);
  }
  const scenario = parseScenario(value.scenario, `${source}: scenario`);
  const parsed = counterexampleSchema.safeParse({ ...value, scenario });
  if (!parsed.success) throw new FileFormatError(source, 1, problemsOf(parsed.error));
  return parsed.data;
}

/** JSON of a whole document; an error names the line where it stops being JSON. */
export function parseDocument(text: string, source: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const { message } = error as Error;
    const position = /at position (\d+)/.exec(message);
    const offset = position === null ? text.length : Number(position[1]);
    const line = text.slice(0, offset).split('\n').length;
    const what =
      text.trim() === '' ? 'the file is empty' : `not JSON: ${inOneLine(message.replace(/ \(line.*$/, ''))}`;
    throw new FileFormatError(source, line, what);
  }
}
