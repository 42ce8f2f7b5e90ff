/** Follows the keys of every node through a history, from event to event, and notes whose lives they are. */
import { besides } from './keys.js';
import { KeyName, Life, type Analysis, type Hold, type HostState, type KeyEvent } from './model.js';
import type { Shard } from './shards.js';

export class KeyTracker {
  constructor(
    private readonly analysis: Analysis,
    private readonly holdOf: (id: string) => Hold | undefined,
  ) {}

  /** A key event of a node. */
  take(host: HostState, event: KeyEvent): void {
    const { shard } = host;
    if (shard === null) return;
    // A node that is not the master says something of its keys only if it was one and does not know that it is deposed.
    const deposed = shard.authority === host ? null : host;
    const live = deposed === null ? shard.live : deposed.live;
    let index = 0;
    while (index < live.length && live[index]!.set.key !== event.key) index++;
    const life = index < live.length ? live[index]! : null;
    if (event.effect === 'set' || event.effect === 'restored') {
      this.keySet(shard, deposed, event, life, index);
      return;
    }
    if (life === null) return;
    const copy = life.deposed !== deposed;
    switch (event.effect) {
      case 'changed':
      case 'deadline':
        if (event.effect === 'changed') life.key.changedInPlace = true;
        else life.key.tended = true;
        if (event.deadlineMs !== null) life.key.hasDeadline = true;
        if (copy) elsewhere(life, event);
        else (life.changes ??= []).push(event);
        this.touched(event, life);
        break;
      default:
        if (copy) elsewhere(life, event);
        else life.end = event;
        live[index] = live[live.length - 1]!;
        live.pop();
        if (event.effect === 'deleted') {
          life.key.tended = true;
          this.touched(event, life);
        } else if (event.effect === 'expired' && deposed === null && isHeld(life.owner)) {
          this.analysis.figures.expiriesDuringWork++;
        }
    }
  }

  private keySet(
    shard: Shard,
    deposed: HostState | null,
    event: KeyEvent,
    replaced: Life | null,
    index: number,
  ): void {
    const owner = event.setter === null ? undefined : this.holdOf(event.setter);
    const name = replaced?.key ?? this.keyName(event.key);
    if (event.deadlineMs !== null) name.hasDeadline = true;
    const life = new Life(shard, name, owner ?? null, event, deposed);
    (deposed === null ? shard.live : deposed.live)[index] = life;
    const origin = event.effect === 'restored' ? originOf(life) : undefined;
    if (origin !== undefined) (origin.returns ??= []).push(life);
    owner?.lives.push(life);
    if (replaced !== null) {
      if (replaced.deposed === deposed) replaced.end = event;
      else elsewhere(replaced, event);
    }
    if (event.effect === 'set') this.touched(event, replaced);
  }

  /** A command had an effect on a key; notes it if the key was another hold's. */
  private touched(event: KeyEvent, life: Life | null): void {
    if (event.by === undefined) return;
    this.analysis.figures.keyEffects++;
    if (life !== null && life.owner !== null && life.owner.id !== event.hold) {
      this.analysis.foreign.push({ event, life });
    }
  }

  private keyName(name: string): KeyName {
    const { keyNames } = this.analysis;
    for (let index = 0; index < keyNames.length; index++) {
      if (keyNames[index]!.name === name) return keyNames[index]!;
    }
    const entry = new KeyName(name);
    keyNames.push(entry);
    return entry;
  }
}

function isHeld(hold: Hold | null): boolean {
  return hold !== null && hold.ok !== null && hold.releaseIndex < 0 && hold.crashUs === Infinity;
}

/** The life of which servers brought back a copy: the last one of the same key, and of the same owner, that once had its deadline. */
function originOf({ owner, shard, key, set }: Life): Life | undefined {
  return owner?.lives.findLast(
    (life) =>
      life.shard === shard &&
      life.key === key &&
      life.set.effect === 'set' &&
      [life.set, ...(life.changes ?? []), ...besides(life)].some(
        ({ deadlineMs }) => deadlineMs === set.deadlineMs,
      ),
  );
}

/** Notes what a command did to the copy of a key that a deposed master kept. What became of it otherwise is of no account. */
function elsewhere(life: Life, event: KeyEvent): void {
  if (event.by !== undefined) (life.elsewhere ??= []).push(event);
}
