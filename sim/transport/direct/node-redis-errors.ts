/** How commands of a client in node-redis' shape fail: its classes, which leave `name` alone, and its words. */

export class ClientClosedError extends Error {
  constructor() {
    super('The client is closed');
  }
}

export class ClientOfflineError extends Error {
  constructor() {
    super('The client is offline');
  }
}

export class DisconnectsClientError extends Error {
  constructor() {
    super('Disconnects client');
  }
}

class ErrorReply extends Error {}

/** What a server answers. */
export class SimpleError extends ErrorReply {}

/** Words must be text or bytes: node-redis turns nothing else into text. */
export function wrongWord(words: readonly unknown[]): TypeError | null {
  const at = words.findIndex((word) => typeof word !== 'string' && !(word instanceof Uint8Array));
  if (at < 0) return null;
  return new TypeError(
    `"arguments[${at}]" must be of type "string | Buffer", got ${typeof words[at]} instead.`,
  );
}
