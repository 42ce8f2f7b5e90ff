import { ErrorReply, StatusReply, type Reply } from './keyspace.js';

const LONGEST = 120;

/** A reply as one short line, the way redis-cli shows it. */
export function replyText(reply: Reply): string {
  if (reply === null) return '(nil)';
  if (typeof reply === 'number') return String(reply);
  if (typeof reply === 'string') return reply.length <= LONGEST ? reply : `${reply.slice(0, LONGEST)}...`;
  if (reply instanceof StatusReply) return reply.text;
  if (reply instanceof ErrorReply) return `-${reply.text}`;
  const text = `[${(reply as readonly Reply[]).map(replyText).join(', ')}]`;
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}...`;
}
