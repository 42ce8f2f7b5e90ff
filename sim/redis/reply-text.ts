import { ErrorReply, NilArrayReply, StatusReply, type Reply } from './keyspace.js';
import { inResp2 } from './resp.js';

const LONGEST = 120;

/** A reply as one short line, the way redis-cli shows it. */
export function replyText(reply: Reply): string {
  if (reply === null) return '(nil)';
  if (typeof reply === 'number' || typeof reply === 'bigint') return String(reply);
  if (typeof reply === 'string') return reply.length <= LONGEST ? reply : `${reply.slice(0, LONGEST)}...`;
  if (reply instanceof StatusReply) return reply.text;
  if (reply instanceof ErrorReply) return `-${reply.text}`;
  if (reply instanceof NilArrayReply) return '(nil)';
  const plain = inResp2(reply);
  if (!Array.isArray(plain)) return replyText(plain);
  const text = `[${(plain as readonly Reply[]).map(replyText).join(', ')}]`;
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}...`;
}
