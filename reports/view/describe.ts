/** Events in words: one short clause each, in the present tense, without the time. */
import type { Claim, EventOf, HistoryEvent } from '../../sim/history/events.js';
import { holdName, type RunView } from './model.js';

/** Microseconds as milliseconds, as many decimals as they need. */
export function showMs(us: number): string {
  return `${Number((us / 1000).toFixed(3))}`;
}

/** What happened, and where a host isn't named by the text itself, to whom. */
export function describeEvent(view: RunView, event: HistoryEvent): string {
  switch (event.kind) {
    case 'acquire':
      return describeAcquire(view, event);
    case 'extend':
      return describeExtend(view, event);
    case 'release':
      return describeRelease(view, event);
    case 'use':
      return describeUse(view, event);
    case 'key':
      return describeKey(view, event);
    case 'apply':
      return `${event.host} executes ${shorten(event.args.join(' '), 44)} for ${who(view, event.hold, event.by)}: ${event.reply}`;
    case 'reply':
      return `${event.host} ${REPLIES[event.outcome]} ${event.server}`;
    case 'lost':
      return `${who(view, event.hold)} is told that its lock is lost${event.reason === undefined ? '' : `: ${event.reason}`}`;
    case 'check':
      return `${who(view, event.hold)} checks its validity: ${event.held ? 'still held' : 'over'}`;
    case 'trouble':
      return `${event.host}: ${event.what.replace('-', ' ')}: ${event.error.name}: ${event.error.message}${event.by === undefined ? '' : `, hidden by ${event.by.name}`}`;
    case 'pending':
      return `${who(view, event.hold)}: ${event.op} never settles`;
    case 'message':
      return `${event.host} sends a ${event.what} to ${event.to}${event.arrivesUs === null ? ', which never arrives' : ''}`;
    case 'print':
      return `${event.host} prints: ${event.line}`;
    default:
      return describeWorld(view, event);
  }
}

type WorldEvent = Extract<
  HistoryEvent,
  {
    kind:
      'clock' | 'fault' | 'pause' | 'crash' | 'restart' | 'promote' | 'sentinel' | 'link' | 'tail' | 'end';
  }
>;

function describeWorld(view: RunView, event: WorldEvent): string {
  switch (event.kind) {
    case 'clock':
      return describeClock(view, event);
    case 'fault':
      return `fault: ${event.do} ${event.detail}`.trimEnd();
    case 'pause': {
      const where = event.inStep ? ', in the middle of a step' : '';
      return `${event.host} freezes for ${showMs(event.untilUs - event.tUs)} ms${where}, until ${showMs(event.untilUs)} ms`;
    }
    case 'crash':
      return `${event.host} crashes`;
    case 'restart':
      return `${event.host} starts again${{ kept: ', its data kept', lost: ', its data lost', none: '' }[event.data]}`;
    case 'promote':
      return `${event.replica} takes the place of ${event.host}, ${event.unreplicated === 0 ? 'with all it had acknowledged' : `without ${count(event.unreplicated, 'acknowledged write')}`}`;
    case 'sentinel':
      return describeSentinel(event);
    case 'link':
      return `${event.host} → ${event.to}: ${LINKS[event.state]}`;
    case 'tail':
      return 'faults are over';
    case 'end':
      return `the run ends (${event.reason})`;
  }
}

const REPLIES: Readonly<Record<EventOf<'reply'>['outcome'], string>> = {
  ok: 'gets the answer of',
  error: 'gets an error from',
  timeout: 'gives up waiting for',
  disconnected: 'loses its connection to',
};

const LINKS: Readonly<Record<EventOf<'link'>['state'], string>> = {
  cut: 'cut',
  whole: 'whole again',
  held: 'messages are held back',
  released: 'held messages go on',
  reset: 'connections reset',
};

export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

function who(view: RunView, hold: string | null | undefined, otherwise = 'nobody'): string {
  return hold === null || hold === undefined ? otherwise : holdName(view, hold);
}

function describeAcquire(view: RunView, event: EventOf<'acquire'>): string {
  const name = who(view, event.hold);
  const resource = view.holds.get(event.hold)?.resource ?? 'the lock';
  switch (event.phase) {
    case 'invoke':
      return `${name} asks for ${event.resource}, ttl ${event.ttlMs} ms`;
    case 'ok': {
      const token = event.fence === null ? '' : `, token ${event.fence}`;
      return `${name} gets ${resource}${token}: ${describeClaim(view, event.host, event.claim, event.tUs)}`;
    }
    case 'fail':
      return `${name} does not get ${resource}: ${event.error.name}`;
    case 'info':
      return `${name} withdraws its asking`;
  }
}

/** A claim, with the true time at which the named clock will show its end as things stand. */
function describeClaim(view: RunView, host: string, claim: Claim | null, atUs: number): string {
  if (claim === null) return 'it claims no end';
  const spans = view.clocks.get(host)?.below(claim.clock, claim.endMs, atUs, Infinity) ?? [];
  const endUs = spans.at(-1)?.untilUs ?? atUs;
  if (endUs <= atUs) return `the end it claims (${claim.clock} clock) is already past`;
  return `it believes so until ${showMs(endUs)} ms (${claim.clock} clock)`;
}

function describeExtend(view: RunView, event: EventOf<'extend'>): string {
  const name = who(view, event.hold);
  switch (event.phase) {
    case 'invoke':
      return `${name} asks for ${event.ttlMs} ms more`;
    case 'ok':
    case 'info':
      return `${name} is renewed: ${describeClaim(view, event.host, event.claim, event.tUs)}`;
    case 'fail':
      return `${name} is not renewed: ${event.error.name}`;
  }
}

function describeSentinel({ host, what, server, detail }: EventOf<'sentinel'>): string {
  switch (what) {
    case '+odown':
      return `${host}: the Sentinels agree that ${server} is down`;
    case '+switch-master':
      return `${host}: ${detail.split(' ')[3]} is the master of ${server} now`;
    default:
      return `${host}: ${what} ${detail}`;
  }
}

function describeRelease(view: RunView, event: EventOf<'release'>): string {
  const name = who(view, event.hold);
  const resource = view.holds.get(event.hold)?.resource ?? 'the lock';
  switch (event.phase) {
    case 'invoke':
      return `${name} releases ${resource}`;
    case 'ok':
      return `${name} has released ${resource}`;
    case 'fail':
      return `${name} could not release ${resource}: ${event.error.name}`;
  }
}

function describeUse(view: RunView, event: EventOf<'use'>): string {
  const name = who(view, event.hold);
  const token = event.fence === null ? '' : ` (token ${event.fence})`;
  if (event.phase === 'invoke') return `${name} sends a ${event.op}${token}`;
  const delayUs = event.tUs - event.sentUs;
  const sent = delayUs === 0 ? '' : `, sent ${showMs(delayUs)} ms before`;
  return `the storage ${event.phase === 'ok' ? 'takes' : 'refuses'} the ${event.op} of ${name}${token}${sent}`;
}

function describeKey(view: RunView, event: EventOf<'key'>): string {
  const owner = who(view, event.setter);
  const key = `the key ${event.key}${event.setter === null ? '' : ` of ${owner}`}`;
  const others = event.hold !== undefined && event.hold !== event.setter;
  const by = event.by === undefined ? '' : ` by ${others ? who(view, event.hold, event.by) : 'its holder'}`;
  switch (event.effect) {
    case 'set': {
      const over =
        event.previous === null || event.previous === undefined
          ? ''
          : `, over that of ${who(view, event.previous)}`;
      return `${event.host} holds ${key} now${over}`;
    }
    case 'changed':
      return `${event.host}: ${key} is changed${by}`;
    case 'deadline':
      return `${event.host}: ${key} gets another deadline${by}`;
    case 'deleted':
      return `${event.host}: ${key} is deleted${by}`;
    case 'expired':
      return `${event.host}: ${key} expires`;
    case 'evicted':
      return `${event.host}: ${key} is evicted`;
    case 'lost':
      return `${event.host}: ${key} is lost`;
    case 'restored':
      return `${event.host}: ${key} is back`;
  }
}

function describeClock(view: RunView, event: EventOf<'clock'>): string {
  const stepUs = view.clocks.get(event.host)?.stepUs(event) ?? 0;
  if (event.cause === 'step')
    return `${event.host}: the wall clock steps ${stepUs < 0 ? 'back' : 'forward'} by ${showMs(Math.abs(stepUs))} ms`;
  if (event.cause === 'drift')
    return `${event.host}: the clocks run at ${signed(event.wallPpm)} ppm from now on`;
  const clock = view.scenario.clocks[event.host];
  const { offsetMs, driftPpm } = typeof clock === 'object' ? clock : { offsetMs: 0, driftPpm: 0 };
  const off = [
    ...(offsetMs === 0 ? [] : [`${Math.abs(offsetMs)} ms ${offsetMs > 0 ? 'ahead' : 'behind'}`]),
    ...(driftPpm === 0 ? [] : [`running at ${signed(driftPpm)} ppm`]),
  ];
  return `${event.host}: the clock starts ${off.length === 0 ? 'right' : off.join(', ')}`;
}

function signed(ppm: number): string {
  return ppm > 0 ? `+${ppm}` : String(ppm);
}
