/** How members and scores are shown: scores are text in RESP2 and doubles in RESP3, which also puts each with its member. */
import { DoubleReply, type Bytes, type Reply } from '../keyspace.js';
import type { Engine } from './engine.js';
import type { NativeSession } from './session.js';

export type Scored = readonly [member: Bytes, score: number];

export function scoreReply(score: number): Reply {
  return new DoubleReply(score);
}

/** Pairs in both protocols. */
export function pairReplies(scored: readonly Scored[]): Reply[] {
  return scored.map(([member, score]) => [member, scoreReply(score)]);
}

/** Pairs in RESP3, a flat array in RESP2. */
export function memberReplies(engine: Engine, session: NativeSession, scored: readonly Scored[]): Reply[] {
  if (engine.protocolFor(session) === 3) return pairReplies(scored);
  return scored.flatMap(([member, score]) => [member, scoreReply(score)]);
}
