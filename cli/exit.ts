/** Exit codes, and the errors that carry one. */
export const EXIT = {
  asExpected: 0,
  violation: 1,
  usage: 2,
  unknown: 3,
  diverged: 4,
  bug: 70,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with a message for its user (no stack) and an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  constructor(
    message: string,
    readonly exitCode: ExitCode = EXIT.usage,
  ) {
    super(message);
  }
}

/** Errors by name that are the input's fault, not ours. */
const INPUT_ERRORS: ReadonlySet<string> = new Set([
  'ScenarioError',
  'FileFormatError',
  'LockModuleError',
  'UnknownLock',
  'HuntRefused',
]);
const FILE_ERRORS: ReadonlySet<string> = new Set([
  'ENOENT',
  'EACCES',
  'EISDIR',
  'ENOTDIR',
  'EEXIST',
  'EROFS',
  'ENOSPC',
  'EPERM',
]);

/** What to print and how to exit for an error that reached the top. */
export function describeFailure(error: unknown): { message: string; exitCode: ExitCode } {
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof Error) {
    if (INPUT_ERRORS.has(error.name)) return { message: error.message, exitCode: EXIT.usage };
    const { code, path, syscall } = error as NodeJS.ErrnoException;
    if (code !== undefined && FILE_ERRORS.has(code) && path !== undefined)
      return {
        message: `${path}: ${fileProblem(code, syscall)} (${syscall ?? 'file'}: ${code})`,
        exitCode: EXIT.usage,
      };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { message: `this is a bug in lockpick, please report it\n${stack}`, exitCode: EXIT.bug };
}

function fileProblem(code: string, syscall: string | undefined): string {
  switch (code) {
    case 'ENOENT':
      return syscall === 'mkdir' ? 'no directory can be made there' : 'no such file';
    case 'EISDIR':
      return 'is a directory';
    case 'ENOTDIR':
      return 'a part of the path is not a directory';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'not permitted';
    case 'ENOSPC':
      return 'the disk is full';
    default:
      return 'is in the way';
  }
}
