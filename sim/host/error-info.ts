import type { ErrorInfo } from '../history/events.js';

/** Name, code and first line of whatever was thrown; never a stack. */
export function errorInfo(error: unknown): ErrorInfo {
  if (typeof error !== 'object' || error === null) return { name: typeof error, message: String(error) };
  const { name, code, message } = error as { name?: unknown; code?: unknown; message?: unknown };
  const info: ErrorInfo = {
    name: typeof name === 'string' ? name : 'Error',
    message: String(message ?? '').split('\n', 1)[0]!,
  };
  if (typeof code === 'string' || typeof code === 'number') info.code = String(code);
  return info;
}
