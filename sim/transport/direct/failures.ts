/** How a client's commands and connections fail, in ioredis' words. */
import { Batch, type Command } from './command.js';

export function failAll(message: Command | Batch, error: Error): void {
  const commands = message instanceof Batch ? message.commands : [message];
  for (const command of commands) if (!command.settled) command.fail(error);
}

export function connectionClosed(): Error {
  return new Error('Connection is closed.');
}

export function tooManyRetries(limit: number): Error {
  const error = new Error(
    `Reached the max retries per request limit (which is ${limit}). Refer to "maxRetriesPerRequest" option for details.`,
  );
  error.name = 'MaxRetriesPerRequestError';
  return error;
}

export function socketError(code: string, call: string, server: string): Error {
  return Object.assign(new Error(call === 'connect' ? `connect ${code} ${server}:6379` : `read ${code}`), {
    code,
    syscall: call,
  });
}
