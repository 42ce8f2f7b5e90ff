import type { Seat } from './seat.js';

export type Format = (...args: unknown[]) => string;

/** Without the host's `util.format`: enough for a line of text. */
export function plainFormat(...args: unknown[]): string {
  return args
    .map((value) => (typeof value === 'object' && value !== null ? json(value) : String(value)))
    .join(' ');
}

function json(value: object): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/** Errors print as name and message: a stack shows paths of the machine, and a history must not. */
function presentable(value: unknown): unknown {
  return value instanceof Error ? `${value.name}: ${value.message}` : value;
}

/** The virtual `console`: lines go to the run. */
export function makeConsole(seat: Seat, format: Format) {
  let indent = '';
  const counts = new Map<string, number>();
  const started = new Map<string, number>();
  seat.resets.push(() => {
    indent = '';
    counts.clear();
    started.clear();
  });
  const printer =
    (level: 'log' | 'warn' | 'error') =>
    (...args: unknown[]): void =>
      seat.services.printed(level, indent + format(...args.map(presentable)));
  const [log, warn, error] = [printer('log'), printer('warn'), printer('error')];
  const elapsed = (label: string): string => {
    const from = started.get(label) ?? 0;
    return `${label}: ${(seat.services.monotonicMs() - from).toFixed(3)}ms`;
  };
  const virtual = {
    log,
    info: log,
    debug: log,
    table: log,
    dir: (value: unknown) => log(value),
    dirxml: log,
    warn,
    error,
    trace: (...args: unknown[]) => error('Trace:', ...args),
    assert: (holds: unknown, ...args: unknown[]) => {
      if (!holds) error('Assertion failed', ...args);
    },
    group: (...args: unknown[]) => {
      if (args.length > 0) log(...args);
      indent += '  ';
    },
    groupCollapsed: (...args: unknown[]) => virtual.group(...args),
    groupEnd: () => {
      indent = indent.slice(2);
    },
    count: (label = 'default') => {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      log(`${label}: ${counts.get(label)}`);
    },
    countReset: (label = 'default') => void counts.delete(label),
    time: (label = 'default') => void started.set(label, seat.services.monotonicMs()),
    timeLog: (label = 'default', ...args: unknown[]) => log(elapsed(label), ...args),
    timeEnd: (label = 'default') => {
      log(elapsed(label));
      started.delete(label);
    },
    clear: () => undefined,
  };
  return virtual;
}
