import { maybe, of, some, value, word } from './arguments.js';

const channel = word('news', 'other', '', '\xff');
const channelPattern = word('*', 'n?ws', 'news', '[no]*');

export const PUB_SUB = [
  of('subscribe', some(channel, 2)),
  of('subscribe', some(channel, 2)),
  of('unsubscribe', some(channel, 2, 0)),
  of('psubscribe', some(channelPattern, 2)),
  of('punsubscribe', some(channelPattern, 2, 0)),
  of('publish', channel, value),
  of('publish', channel, value),
  of('publish', channel, value),
  of('pubsub', word('channels'), maybe('*', 'n*')),
  of('pubsub', word('numsub'), some(channel, 2, 0)),
  of('pubsub', word('numpat', 'nosuch', 'shardchannels')),
  of('ssubscribe', some(channel, 2)),
  of('sunsubscribe', some(channel, 2, 0)),
  of('spublish', channel, value),
  of('ping', maybe('x')),
  of('reset'),
  of('quit'),
];
