/** Errors of sockets, with the members that Node gives them. */
const NUMBERS: Readonly<Record<string, number>> = { ECONNREFUSED: -111, ECONNRESET: -104, ETIMEDOUT: -110 };

function systemError(code: string, syscall: string, message: string, more: object): Error {
  return Object.assign(new Error(message), { errno: NUMBERS[code] ?? -5, code, syscall, ...more });
}

export function connectError(code: string, address: string, port: number): Error {
  return systemError(code, 'connect', `connect ${code} ${address}:${port}`, { address, port });
}

export function readError(code: string): Error {
  return systemError(code, 'read', `read ${code}`, {});
}

/** A name that no machine has. */
export function notFound(hostname: string): Error {
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), {
    errno: -3008,
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname,
  });
}

/** What was written before the connection stood never left. */
export function closedBeforeConnection(): Error {
  return Object.assign(new Error('Socket closed before the connection was established'), {
    code: 'ERR_SOCKET_CLOSED_BEFORE_CONNECTION',
  });
}

export function notOpen(): Error {
  return Object.assign(new Error('Socket is closed'), { code: 'ERR_SOCKET_CLOSED' });
}
