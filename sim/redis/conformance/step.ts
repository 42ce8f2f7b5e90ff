/** What a sequence consists of, and how it is printed. */
import type { Bytes } from '../keyspace.js';

/** One connection sends a command. `{id:1}` as an argument stands for the client id of connection 1. */
export interface CommandStep {
  readonly connection: number;
  readonly args: readonly Bytes[];
}

/**
 * The server's wall clock moves. `expires`: keys whose time has come are removed at once, as Redis's own cycle would do at a
 * moment of its choice; otherwise they lie there until they are touched.
 */
export interface ClockStep {
  readonly moveUs: number;
  readonly expires: boolean;
}

export type Step = CommandStep | ClockStep;

export const CONNECTIONS = 3;
/** Where each sequence's clock starts: 2023-11-14 22:13:20. */
export const START_MS = 1_700_000_000_000;

export function isCommand(step: Step): step is CommandStep {
  return 'args' in step;
}

/** Bytes as redis-cli takes them between quotes; long runs of one character are counted. */
export function quoted(bytes: Bytes): string {
  if (bytes.length > 200) return `<${bytes.length} bytes "${bytes.slice(0, 8)}...">`;
  if (/^[\w.*+:{}-]+$/.test(bytes)) return bytes;
  const escaped = [...bytes].map((char) => {
    if (char === '\\' || char === '"') return `\\${char}`;
    if (char === '\r') return '\\r';
    if (char === '\n') return '\\n';
    const code = char.charCodeAt(0);
    return code < 32 || code > 126 ? `\\x${code.toString(16).padStart(2, '0')}` : char;
  });
  return `"${escaped.join('')}"`;
}

export function printStep(step: Step): string {
  if (isCommand(step)) return `${step.connection}> ${step.args.map(quoted).join(' ')}`;
  const { moveUs, expires } = step;
  const sign = moveUs < 0 ? '' : '+';
  return `-- clock ${sign}${moveUs / 1000} ms${expires ? ', expired keys removed' : ''}`;
}
