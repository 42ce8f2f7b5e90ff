/** The commands that a Sentinel answers. */
import {
  ErrorReply,
  MapReply,
  NIL_ARRAY,
  OK,
  PONG,
  StatusReply,
  type Bytes,
  type Reply,
} from '../keyspace.js';
import { vote } from './election.js';
import { start } from './failover.js';
import { sameAddress } from './instance.js';
import type { Master } from './master.js';
import { masterRow, replicaRow, sentinelRow } from './rows.js';
import { selectReplica } from './select.js';
import type { SentinelServer } from './server.js';
import type { SentinelSession } from './session.js';
import { HELLO_CHANNEL } from './timing.js';

type Run = (sentinel: SentinelServer, args: readonly Bytes[], session: SentinelSession) => Reply;

const NO_SUCH_MASTER = new ErrorReply('ERR No such master with that name');

/** Name -> arity as Redis counts it (negative: at least) and what it does. */
const COMMANDS = new Map<string, readonly [number, Run]>([
  ['ping', [-1, ping]],
  ['hello', [-1, hello]],
  ['auth', [-2, () => new ErrorReply(NO_PASSWORD)]],
  ['client', [-2, client]],
  ['info', [-1, (sentinel) => info(sentinel)]],
  ['role', [1, (sentinel) => ['sentinel', [...sentinel.masters.keys()]]]],
  ['publish', [3, publish]],
  ['subscribe', [-2, (_sentinel, args, session) => session.subscribe('subscribe', args.slice(1))]],
  ['psubscribe', [-2, (_sentinel, args, session) => session.subscribe('psubscribe', args.slice(1))]],
  ['unsubscribe', [-1, (_sentinel, args, session) => session.unsubscribe('unsubscribe', args.slice(1))]],
  ['punsubscribe', [-1, (_sentinel, args, session) => session.unsubscribe('punsubscribe', args.slice(1))]],
  ['sentinel', [-2, container]],
]);

const NO_PASSWORD =
  'ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?';

const SENTINEL = new Map<string, readonly [number, Run]>([
  ['myid', [2, (sentinel) => sentinel.runId]],
  ['masters', [2, (sentinel) => [...sentinel.masters.values()].map(masterRow)]],
  ['master', [3, ofMaster(masterRow)]],
  ['replicas', [3, ofMaster((master) => [...master.replicas.values()].map(replicaRow))]],
  ['slaves', [3, ofMaster((master) => [...master.replicas.values()].map(replicaRow))]],
  ['sentinels', [3, ofMaster((master) => [...master.sentinels.values()].map(sentinelRow))]],
  ['get-master-addr-by-name', [3, addressOf]],
  ['ckquorum', [3, ofMaster(checkQuorum)]],
  ['failover', [3, ofMaster(failover)]],
  ['is-master-down-by-addr', [6, isMasterDown]],
]);

export function executeOnSentinel(
  sentinel: SentinelServer,
  args: readonly Bytes[],
  session: SentinelSession,
): Reply {
  const name = args[0]!.toLowerCase();
  const known = COMMANDS.get(name);
  if (known === undefined) {
    const rest = args.slice(1).map((arg) => `'${arg}' `);
    return new ErrorReply(`ERR unknown command '${args[0]!}', with args beginning with: ${rest.join('')}`);
  }
  const [arity, run] = known;
  if (!fits(arity, args.length)) return wrongNumber(name);
  if (session.restricted && !MAY_SUBSCRIBER.has(name))
    return new ErrorReply(
      `ERR Can't execute '${name}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context`,
    );
  if (name === 'ping' && session.restricted) return ['pong', args[1] ?? ''];
  return run(sentinel, args, session);
}

const MAY_SUBSCRIBER: ReadonlySet<string> = new Set([
  'ping',
  'subscribe',
  'psubscribe',
  'unsubscribe',
  'punsubscribe',
]);

function fits(arity: number, given: number): boolean {
  return arity >= 0 ? given === arity : given >= -arity;
}

function wrongNumber(name: string): ErrorReply {
  return new ErrorReply(`ERR wrong number of arguments for '${name}' command`);
}

function ping(_sentinel: SentinelServer, args: readonly Bytes[]): Reply {
  if (args.length > 2) return wrongNumber('ping');
  return args[1] ?? PONG;
}

function container(sentinel: SentinelServer, args: readonly Bytes[], session: SentinelSession): Reply {
  const sub = args[1]!.toLowerCase();
  const known = SENTINEL.get(sub);
  if (known === undefined) return new ErrorReply(`ERR unknown subcommand '${args[1]!}'. Try SENTINEL HELP.`);
  const [arity, run] = known;
  return fits(arity, args.length) ? run(sentinel, args, session) : wrongNumber(`sentinel|${sub}`);
}

function ofMaster(answer: (master: Master) => Reply): Run {
  return (sentinel, args) => {
    const master = sentinel.masters.get(args[2]!);
    return master === undefined ? NO_SUCH_MASTER : answer(master);
  };
}

function addressOf(sentinel: SentinelServer, args: readonly Bytes[]): Reply {
  const master = sentinel.masters.get(args[2]!);
  if (master === undefined) return NIL_ARRAY;
  const { host, port } = master.currentAddress;
  return [host, String(port)];
}

/** Whether enough Sentinels are not down, to agree that the master is down and to elect a leader. */
function checkQuorum(master: Master): Reply {
  const known = master.sentinels.size + 1;
  let usable = 1;
  for (const { subjectivelyDown } of master.sentinels.values()) if (!subjectivelyDown) usable++;
  const noQuorum = usable < master.quorum;
  const noMajority = usable < Math.floor(known / 2) + 1;
  if (!noQuorum && !noMajority)
    return new StatusReply(`OK ${usable} usable Sentinels. Quorum and failover authorization can be reached`);
  const found = [
    ...(noQuorum ? ['Not enough available Sentinels to reach the specified quorum for this master'] : []),
    ...(noMajority ? ['Not enough available Sentinels to reach the majority and authorize a failover'] : []),
  ];
  return new ErrorReply(`NOQUORUM ${usable} usable Sentinels. ${found.join('. ')}`);
}

/** An operator wants a failover, whatever the other Sentinels think. */
function failover(master: Master): Reply {
  if (master.failingOver) return new ErrorReply('INPROG Failover already in progress');
  if (selectReplica(master) === null) return new ErrorReply('NOGOODSLAVE No suitable replica to promote');
  start(master, true);
  return OK;
}

/** Another Sentinel asks: is the master at this address down, and (given a run id) will you vote for me? */
function isMasterDown(sentinel: SentinelServer, args: readonly Bytes[]): Reply {
  const address = { host: args[2]!, port: Number(args[3]) };
  const epoch = Number(args[4]);
  if (!Number.isInteger(address.port) || !Number.isInteger(epoch))
    return new ErrorReply('ERR value is not an integer or out of range');
  const master = [...sentinel.masters.values()].find((each) => sameAddress(each.address, address));
  if (master === undefined) return [0, '*', 0];
  const down = !sentinel.tilted && master.subjectivelyDown ? 1 : 0;
  if (args[5] === '*') return [down, '*', 0];
  const [leader, leaderEpoch] = vote(sentinel, master, epoch, args[5]!);
  return [down, leader ?? '*', leaderEpoch];
}

/** Only hello messages are taken; they are told nobody. */
function publish(sentinel: SentinelServer, args: readonly Bytes[]): Reply {
  if (args[1] !== HELLO_CHANNEL)
    return new ErrorReply('ERR Only HELLO messages are accepted by Sentinel instances.');
  sentinel.hello(args[2]!);
  return 1;
}

function hello(sentinel: SentinelServer, args: readonly Bytes[], session: SentinelSession): Reply {
  if (args.length > 1) {
    const protocol = Number(args[1]);
    if (!Number.isInteger(protocol))
      return new ErrorReply('ERR Protocol version is not an integer or out of range');
    if (protocol !== 2 && protocol !== 3) return new ErrorReply('NOPROTO unsupported protocol version');
    session.protocol = protocol;
  }
  return new MapReply([
    'server',
    sentinel.flavour,
    'version',
    sentinel.versionText,
    'proto',
    session.protocol,
    'id',
    session.id,
    'mode',
    'sentinel',
    'modules',
    [],
  ]);
}

function client(_sentinel: SentinelServer, args: readonly Bytes[], session: SentinelSession): Reply {
  switch (args[1]!.toLowerCase()) {
    case 'setname':
      session.name = args[2] ?? '';
      return OK;
    case 'getname':
      return session.name === '' ? null : session.name;
    case 'id':
      return session.id;
    case 'setinfo':
      return OK;
    default:
      return new ErrorReply(`ERR unknown subcommand '${args[1]!}'. Try CLIENT HELP.`);
  }
}

function info(sentinel: SentinelServer): Reply {
  const lines = [
    '# Server',
    `redis_version:${sentinel.versionText}`,
    'redis_mode:sentinel',
    `run_id:${sentinel.runId}`,
    'tcp_port:26379',
    '',
    '# Sentinel',
    `sentinel_masters:${sentinel.masters.size}`,
    `sentinel_tilt:${sentinel.tilted ? 1 : 0}`,
    `sentinel_tilt_since_seconds:${sentinel.tiltSeconds}`,
    'sentinel_running_scripts:0',
    'sentinel_scripts_queue_length:0',
    'sentinel_simulate_failure_flags:0',
    ...[...sentinel.masters.values()].map(masterLine),
    '',
  ];
  return lines.join('\r\n');
}

function masterLine(master: Master, index: number): string {
  const { host, port } = master.address;
  const status = master.objectivelyDown ? 'odown' : master.subjectivelyDown ? 'sdown' : 'ok';
  return `master${index}:name=${master.name},status=${status},address=${host}:${port},slaves=${master.replicas.size},sentinels=${master.sentinels.size + 1}`;
}
