/** Histories and counterexamples on disk. A file appears whole or not at all. Needs Node. */
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import type { Counterexample } from './counterexample.js';
import type { History } from './events.js';
import { canonicalJson, historyLines } from './jsonl.js';
import { parseCounterexample, parseHistory } from './read.js';

const CHUNK = 256 * 1024;

/**
 * Writes a file beside its place and moves it there when it is complete; missing directories are made.
 * @throws what the file system says, with the file named, and nothing left behind
 */
export function writeWhole(file: string, parts: Iterable<string>): void {
  const temporary = `${file}.${process.pid}.tmp`;
  makeDirectory(path.dirname(file));
  try {
    const handle = openSync(temporary, 'w');
    try {
      let pending = '';
      for (const part of parts) {
        pending += part;
        if (pending.length >= CHUNK) {
          writeAll(handle, pending);
          pending = '';
        }
      }
      writeAll(handle, pending);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** One after the other: where none can be made (`/proc/x`) Node's own recursion never ends. */
function makeDirectory(directory: string): void {
  const found = statSync(directory, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  if (found !== undefined)
    throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR', path: directory, syscall: 'mkdir' });
  const parent = path.dirname(directory);
  if (parent !== directory) makeDirectory(parent);
  try {
    mkdirSync(directory);
  } catch (error) {
    // Another command may have made it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function writeAll(handle: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
}

function* terminated(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}

/** Writes a history as canonical JSON Lines. */
export function writeHistory(file: string, history: History): void {
  writeWhole(file, terminated(historyLines(history)));
}

/** The text of a file; errors of the file system carry its path, which Node leaves out of some. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw Object.assign(error as Error, { path: file });
  }
}

/** Reads a history; throws FileFormatError (`file:line: what`) or the file system's error. */
export function readHistory(file: string): History {
  return parseHistory(readText(file), file);
}

/** Writes a counterexample, indented, for people read it. */
export function writeCounterexample(file: string, counterexample: Counterexample): void {
  const ordered = JSON.parse(canonicalJson(counterexample)) as unknown;
  writeWhole(file, [`${JSON.stringify(ordered, undefined, 2)}\n`]);
}

/** Reads a counterexample; throws FileFormatError, ScenarioError or the file system's error. */
export function readCounterexample(file: string): Counterexample {
  return parseCounterexample(readText(file), file);
}
