import type { ErrorInfo } from '../history/events.js';

/** Name, code and first line of whatever was thrown, and the name of its cause; never a stack. */
export function errorInfo(error: unknown): ErrorInfo {
  if (typeof error !== 'object' || error === null) return { name: typeof error, message: String(error) };
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  const info: ErrorInfo = {
    name: nameOf(error),
    message: String(message ?? '').split('\n', 1)[0]!,
  };
  if (typeof code === 'string' || typeof code === 'number') info.code = String(code);
  if (cause !== undefined) info.cause = nameOf(cause);
  return info;
}

function nameOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return typeof thrown;
  const { name } = thrown as { name?: unknown };
  return typeof name === 'string' ? name : 'Error';
}
