/** A network as one writes it around a mock: every command waits on the fake clock, there and back. */
import type { Callback, ScriptClient } from './redlock4.js';

export interface Meter {
  /** Scripts that ran. A NOSCRIPT answer is not counted: only servers that begin without scripts give any. */
  commands: number;
}

/** @param latencyMs draws one direction's delay */
export class SlowLink implements ScriptClient {
  constructor(
    private readonly server: ScriptClient,
    private readonly latencyMs: () => number,
    private readonly meter: Meter,
  ) {}

  evalsha(sha: string, args: unknown[], callback: Callback): void {
    setTimeout(() => this.server.evalsha(sha, args, this.back(callback)), this.latencyMs());
  }

  eval(args: unknown[], callback: Callback): void {
    setTimeout(() => this.server.eval(args, this.back(callback)), this.latencyMs());
  }

  private back(callback: Callback): Callback {
    return (error, reply) => {
      if (error === null) this.meter.commands++;
      setTimeout(() => callback(error, reply), this.latencyMs());
    };
  }
}
