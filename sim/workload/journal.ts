/** What a task writes into the history, and which calls of the lock it has open. */
import type { HistoryEvent } from '../history/events.js';
import { OpenCalls, type Call } from './calls.js';
import type { Hold } from './hold.js';
import type { TaskSetting } from './task-setting.js';

/** An event of a hold without what the journal fills in. */
type Note<E = HistoryEvent> = E extends { hold: string; step: number; task: string }
  ? Omit<E, 'i' | 'tUs' | 'host' | 'step' | 'task' | 'hold'>
  : never;

export class Journal {
  /** Calls of the lock that have not settled. */
  private readonly calls = new OpenCalls();

  constructor(private readonly setting: TaskSetting) {}

  /** Records an event of a hold; `note` is completed in place. */
  note(hold: Hold, note: Note): void {
    const { process, owner } = this.setting;
    const event = note as HistoryEvent & { step: number; task: string; hold: string };
    event.i = 0;
    event.tUs = process.nowUs;
    event.host = process.name;
    event.step = process.steps;
    event.task = owner.task;
    event.hold = hold.id;
    process.record(event);
  }

  begin(op: Call, hold: Hold): void {
    this.setting.owner.begin(op, hold.id);
    this.calls.begin(op, hold.id);
  }

  end(op: Call, hold: Hold): void {
    this.setting.owner.end(op, hold.id);
    this.calls.end(op, hold.id);
  }

  /** Calls of the lock that will never settle: nothing is left that could settle them. */
  recordPending(): void {
    const { process, owner } = this.setting;
    for (const { op, hold } of this.calls) {
      process.record({
        i: 0,
        tUs: process.nowUs,
        host: process.name,
        step: process.steps,
        task: owner.task,
        hold,
        kind: 'pending',
        op,
      });
    }
  }
}
