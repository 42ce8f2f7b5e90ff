/** Who set each key of a server, and the history's record of its commands and of everything that happens to keys. */
import type { HistoryEvent } from '../history/events.js';
import type { Recorder } from '../history/recorder.js';
import type { Kernel } from '../kernel/kernel.js';
import type { Bytes, KeyEffect } from './keyspace.js';
import type { Request } from './request.js';

type ApplyEvent = Extract<HistoryEvent, { kind: 'apply' }>;
type KeyEvent = Extract<HistoryEvent, { kind: 'key' }>;

export class KeyLedger {
  /** Who set each live key: a hold, or null (nobody's hold). */
  readonly setters = new Map<Bytes, string | null>();
  /** The command that is being executed, if a client sent it. */
  current: Request | null = null;
  /** Keys that changed since the last settlement, in order; null: none. */
  changed: Bytes[] | null = null;
  /** Records are being loaded, or a replica follows its master: no news to the history. */
  silent = false;

  constructor(
    private readonly kernel: Kernel,
    private readonly recorder: Recorder,
    private readonly host: string,
  ) {}

  /** A command is about to be executed; the caller fills in its reply. */
  recordApply(request: Request): ApplyEvent {
    const event: ApplyEvent = {
      i: 0,
      tUs: this.kernel.nowUs,
      host: this.host,
      kind: 'apply',
      command: request.id ?? 0,
      by: request.by,
      task: request.task,
      hold: request.hold,
      op: request.op,
      args: request.args as Bytes[],
      reply: '',
    };
    this.recorder.add(event);
    return event;
  }

  keyChanged(key: Bytes, effect: KeyEffect, deadlineMs: number | null): void {
    if (this.silent) return;
    const command = this.current;
    const owner = this.setters.get(key) ?? null;
    const isSet = effect === 'set';
    const gone = effect === 'expired' || effect === 'evicted';
    const doer = gone ? null : command;
    // All members at once, those that are undefined among them: so all events of keys have one shape.
    const event: KeyEvent = {
      i: 0,
      tUs: this.kernel.nowUs,
      host: this.host,
      kind: 'key',
      key,
      effect,
      deadlineMs,
      setter: isSet && command !== null ? command.hold : owner,
      previous: isSet ? owner : undefined,
      by: doer?.by,
      hold: doer?.hold,
      op: doer?.op,
      command: doer?.id,
    };
    if (isSet) {
      if (command !== null && command.op === 'acquire') command.voted = true;
      this.setters.set(key, event.setter);
    } else if (gone || effect === 'deleted') this.setters.delete(key);
    this.recorder.add(event);
    (this.changed ??= []).push(key);
  }

  setterOf(key: Bytes): string | null {
    return this.setters.get(key) ?? null;
  }

  /** A restart or a promotion took a key, or brought one back. */
  transition(
    key: Bytes,
    effect: 'lost' | 'restored',
    deadlineMs: number | null,
    setter: string | null,
  ): void {
    this.recorder.add({
      i: 0,
      tUs: this.kernel.nowUs,
      host: this.host,
      kind: 'key',
      key,
      effect,
      deadlineMs,
      setter,
    });
  }
}
