/** The timeline: what processes believe above what servers hold and the storage takes, over true time. */
import type { Violation } from '../../properties/verdict.js';
import { showMs } from '../view/describe.js';
import { type HoldView, type KeyLife, type RunView, type UseView } from '../view/model.js';
import { windowOf } from '../view/window.js';
import { Lane, Scale } from './lane.js';
import { cut, padEnd, type Paint, type Style } from './text.js';

const LABEL = 11;

/** Each process has a colour of its own, but also its name and a place of its own: colour only helps. */
const COLOURS = ['cyan', 'magenta', 'yellow', 'green', 'blue'] as const;

export interface TimelineOptions {
  readonly width: number;
  /** Lines it may take, the legend included. */
  readonly height: number;
  readonly paint: Paint;
}

export function timeline(
  view: RunView,
  violation: Violation | undefined,
  { width, height, paint }: TimelineOptions,
): string[] {
  const scale = new Scale(windowOf(view, violation), width - LABEL);
  const faults = faultLanes(view, scale);
  const processes = processLanes(view, scale, violation);
  const servers = joinEqual(serverLanes(view, scale, violation), paint);
  const shown = choose(processes, servers, height - faults.length - 3);
  const lines = [axis(scale), ...faults, ...shown].map(
    (lane) =>
      `${paint(lane.label === '' ? 'dim' : 'bold', padEnd(cut(lane.label, LABEL - 1), LABEL))}${lane.render(paint)}`,
  );
  const left = processes.length + servers.length - shown.length;
  if (left > 0) lines.push(paint('dim', `${' '.repeat(LABEL)}${left} more lanes are in the history`));
  if (violation !== undefined)
    lines.push(`${' '.repeat(LABEL)}${badInstant(scale, violation).render(paint)}`);
  lines.push(paint('dim', legend(lines.join('\n'), width)));
  return lines.map((line) => line.trimEnd());
}

/** All lanes if there is room, else the concerned processes (they come first), the servers, and what else fits. */
function choose(processes: readonly Lane[], servers: readonly Lane[], room: number): Lane[] {
  if (processes.length + servers.length <= room) return [...processes, ...servers];
  const rows = Math.max(2, room - 1);
  const first = Math.min(rows, Math.max(Math.min(4, processes.length), rows - servers.length));
  return [...processes.slice(0, first), ...servers.slice(0, Math.max(0, rows - first))];
}

/** Only the signs that occur are explained, as far as there is room. */
function legend(drawn: string, width: number): string {
  const signs: [string, string][] = [
    ['█', 'believes'],
    ['▓', 'frozen in belief'],
    ['░', 'frozen, down'],
    ['─', 'past claim'],
    ['·', 'asks'],
    ['═', 'key'],
    ['┘', 'deleted'],
    ['×', 'gone'],
    ['⊗', 'refused'],
    ['┈', 'in flight'],
  ];
  let line = ' '.repeat(LABEL - 2);
  for (const [sign, meaning] of signs)
    if (drawn.includes(sign) && line.length + meaning.length + 4 <= width) line += `  ${sign} ${meaning}`;
  return line;
}

/** Marks of the time in ms, at round values. */
function axis(scale: Scale): Lane {
  const lane = new Lane('ms', scale);
  const { fromUs, untilUs } = scale.window;
  const stepUs = roundStep((untilUs - fromUs) / 8);
  for (let atUs = Math.ceil(fromUs / stepUs) * stepUs; atUs <= untilUs; atUs += stepUs) {
    const text = `│${showMs(atUs)}`;
    if (lane.isFree(scale.column(atUs), text.length)) lane.mark(atUs, text, 'dim');
  }
  return lane;
}

function roundStep(roughUs: number): number {
  const power = 10 ** Math.floor(Math.log10(roughUs));
  return (
    [1, 2, 5, 10].map((factor) => Math.round(factor * power)).find((step) => step >= roughUs) ?? 10 * power
  );
}

function badInstant(scale: Scale, { atUs }: Violation): Lane {
  const lane = new Lane('', scale);
  const column = scale.column(atUs);
  const text = `first bad instant, ${showMs(atUs)} ms`;
  if (column + text.length + 2 <= scale.columns) lane.put(column, `▲ ${text}`, ['red', 'bold']);
  else lane.put(column - text.length - 1, `${text} ▲`, ['red', 'bold']);
  return lane;
}

/** Faults with what they do as far as there is room; faults of the same kind at the same instant stand together. */
function faultLanes(view: RunView, scale: Scale): Lane[] {
  const lanes = [new Lane('faults', scale), new Lane('', scale), new Lane('', scale)];
  const groups = new Map<string, { atUs: number; hosts: string[]; what: string; detail: string }>();
  for (const { tUs, host, do: what, detail } of view.faults) {
    // Details begin with the host's name; without it they tell whether two faults do the same.
    const rest = detail.startsWith(host) ? detail.slice(host.length) : ` ${detail}`;
    const group = groups.get(`${tUs} ${what}${rest}`);
    if (group === undefined)
      groups.set(`${tUs} ${what}${rest}`, { atUs: tUs, hosts: [host], what, detail: rest });
    else group.hosts.push(host);
  }
  for (const { atUs, hosts, what, detail } of groups.values()) {
    const column = scale.column(atUs);
    if (column < 0 || column >= scale.columns) continue;
    const text = `▼${what} ${detail.startsWith(' ') && hosts[0] === 'world' ? '' : listHosts(hosts)}${detail}`;
    const room = scale.columns - column;
    const lane = lanes.find((candidate) => candidate.isFree(column, Math.min(text.length + 1, room)));
    if (lane === undefined) lanes[0]!.put(column, '▼', 'yellow');
    else if (text.length <= room) lane.put(column, text, 'yellow');
    else if (lane.isFree(column - text.length, text.length))
      lane.put(column - text.length + 1, `${text.slice(1)}▼`, 'yellow');
    else lane.put(column, cut(text, room), 'yellow');
  }
  return lanes.filter((lane) => !lane.isEmpty);
}

/** `redis-1, 2, 3`: the common beginning is said once. */
function listHosts(hosts: readonly string[]): string {
  return [...new Set(hosts)]
    .map((host, index) => (index === 0 ? host : host.replace(/^(redis-|p)/, '')))
    .join(', ');
}

function colourOf(view: RunView, process: string): Style {
  return COLOURS[view.processes.indexOf(process) % COLOURS.length] ?? 'white';
}

/** Concerned processes first, then the others in order. */
function processLanes(view: RunView, scale: Scale, violation: Violation | undefined): Lane[] {
  const first = violation?.holds.map((hold) => view.holds.get(hold)?.process ?? '') ?? [];
  const order = [...new Set([...first.filter((name) => name !== ''), ...view.processes])].sort(
    (a, b) => rank(first, a) - rank(first, b) || view.processes.indexOf(a) - view.processes.indexOf(b),
  );
  return order.flatMap((process) => {
    const holds = [...view.holds.values()].filter((hold) => hold.process === process);
    const tasks = [...new Set(holds.map(({ task }) => task))];
    const labels = tasks.length > 1 ? tasks : [process];
    return labels.flatMap((label) =>
      lanesOfTask(
        view,
        scale,
        process,
        label,
        holds.filter(({ task }) => tasks.length <= 1 || task === label),
      ),
    );
  });
}

function rank(concerned: readonly string[], process: string): number {
  return concerned.includes(process) ? 0 : 1;
}

function lanesOfTask(view: RunView, scale: Scale, process: string, label: string, holds: HoldView[]): Lane[] {
  const colour = colourOf(view, process);
  const belief = new Lane(label, scale);
  for (const hold of holds) drawBelief(belief, hold, view, colour);
  const still = [...view.pauses, ...view.downs].filter(({ host }) => host === process);
  for (const span of still) belief.overlay(span, { '█': '▓', '▓': '▓' }, '░', colour);
  // The instant at which acquire returns is a belief, however late it comes and whatever ends there.
  for (const { grantedUs, believes } of holds)
    if (grantedUs !== null && believes.length === 0) belief.mark(grantedUs, '█', colour);
  for (const { crashedUs } of holds) if (crashedUs !== null) belief.mark(crashedUs, '✝', ['red', 'bold']);
  const uses = new Lane('  uses', scale);
  const ids = new Set(holds.map(({ hold }) => hold));
  for (const use of view.uses) if (ids.has(use.hold)) drawUse(uses, use, scale, colour);
  return [belief, uses].filter((lane) => !lane.isEmpty);
}

function drawBelief(lane: Lane, hold: HoldView, view: RunView, colour: Style): void {
  const settledUs = hold.grantedUs ?? hold.failedUs ?? hold.crashedUs ?? view.endUs;
  lane.fill({ fromUs: hold.askedUs, untilUs: settledUs }, '·', 'dim');
  if (hold.grantedUs === null) return;
  const overUs = hold.releaseUs ?? hold.crashedUs ?? view.endUs;
  lane.fill({ fromUs: hold.grantedUs, untilUs: overUs }, '─', colour);
  for (const span of hold.believes) lane.fill(span, '█', colour);
}

function drawUse(lane: Lane, use: UseView, scale: Scale, colour: Style): void {
  const letter = use.op === 'read' ? 'r' : 'w';
  if (use.arrivedUs === null) {
    lane.mark(use.sentUs, '?', colour);
    return;
  }
  const from = scale.column(use.sentUs);
  const to = scale.column(use.arrivedUs);
  for (let column = from; column < to; column++) if (to - from > 1) lane.put(column, '┈', colour);
  if (use.accepted) lane.put(to, letter, [colour as 'cyan', 'bold']);
  else {
    lane.put(to, '⊗', ['red', 'bold']);
    if (lane.isFree(to + 1, 1)) lane.put(to + 1, letter, 'red');
  }
}

/** Neighbouring servers that show the same share a lane: `redis-1..3`. */
function joinEqual(lanes: readonly Lane[], paint: Paint): Lane[] {
  const joined: Lane[] = [];
  let first = '';
  for (const lane of lanes) {
    const last = joined.at(-1);
    const number = /^redis-(\d+)$/.exec(lane.label)?.[1];
    if (
      last !== undefined &&
      number !== undefined &&
      first !== '' &&
      last.render(paint) === lane.render(paint)
    ) {
      joined[joined.length - 1] = last.renamed(`redis-${first}..${number}`);
    } else {
      joined.push(lane);
      first = number ?? '';
    }
  }
  return joined;
}

/** A lane for each server: whose key stands there. */
function serverLanes(view: RunView, scale: Scale, violation: Violation | undefined): Lane[] {
  const resources = new Set(
    (violation?.holds ?? [...view.holds.keys()]).map((hold) => view.holds.get(hold)?.resource),
  );
  const lives = view.keys.filter(
    ({ setter, hadDeadline, key }) =>
      setter !== null &&
      (hadDeadline || resources.has(key)) &&
      resources.has(view.holds.get(setter)?.resource),
  );
  return view.servers
    .map((server) => {
      const lane = new Lane(server.replace('-replica-', '-r'), scale);
      for (const life of lives) if (life.server === server) drawLife(lane, life, view, scale);
      // What a server that is down still has on its disk, or had in its memory, is no key.
      for (const { host, ...span } of view.downs) if (host === server) lane.swap(span, ' ═', '░', 'dim');
      for (const { host, ...span } of view.pauses) if (host === server) lane.overlay(span, {}, '░', 'dim');
      return lane;
    })
    .filter((lane, index) => !lane.isEmpty || !view.servers[index]!.includes('replica'));
}

function drawLife(lane: Lane, life: KeyLife, view: RunView, scale: Scale): void {
  const span = scale.span(life);
  if (span === undefined) return;
  const [first, last] = span;
  const colour = colourOf(view, view.holds.get(life.setter ?? '')?.process ?? '');
  const name = view.holds.get(life.setter ?? '')?.process ?? '';
  const length = last - first + 1;
  const ending = life.ended === null || scale.column(life.untilUs) >= scale.columns ? '' : endingSign(life);
  lane.fill(life, '═', colour);
  const room = length - ending.length;
  const short = name.replace(/^p/, '');
  lane.put(
    first,
    name.length <= room ? name : short.length <= room ? short : short.slice(0, Math.max(room, 1)),
    colour,
  );
  if (ending !== '' && length > 1) lane.put(last, ending, colour);
}

function endingSign({ ended }: KeyLife): string {
  return ended?.effect === 'deleted'
    ? '┘'
    : ended?.effect === 'expired' || ended?.effect === 'lost'
      ? '×'
      : '';
}
