/** A lock module that cannot be used: not found, does not compile, throws on load, exports no lock. Bad input. */
export class LockModuleError extends Error {
  override readonly name = 'LockModuleError';
  /** What is wrong, for programs. */
  readonly code: LockModuleProblem;

  constructor(code: LockModuleProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export type LockModuleProblem =
  | 'not-found'
  | 'syntax'
  | 'missing-package'
  | 'throws'
  | 'no-lock'
  | 'never-loads'
  | 'changes-built-ins'
  | 'escapes';

/** Of an escape's stack: enough to find the user's own line below those of packages. */
const FRAMES = 20;

/** The program under test tried to leave the simulation. Ends the run; its stack begins at the program's own frame. */
export class EscapeError extends Error {
  override readonly name = 'EscapeError';
  readonly code = 'ERR_LOCKPICK_ESCAPE';
  /** What was touched: `net.connect to 10.0.0.1:6379`, `Date.now`. */
  readonly route: string;

  /** `below`: frames from this function up are left out of the stack. */
  constructor(route: string, below?: (...args: never[]) => unknown) {
    super(`the program tried to leave the simulation: ${route}`);
    this.route = route;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = FRAMES;
    Error.captureStackTrace?.(this, below ?? EscapeError);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
