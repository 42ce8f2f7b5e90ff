/** Pauses of a process; those that follow each other with no time between are one. */
import type { Analysis, Hold, HostState, PauseEvent } from './model.js';

export interface MergedPause {
  readonly fromUs: number;
  untilUs: number;
  /** The event of its beginning. */
  readonly first: PauseEvent;
}

export function mergedPauses(host: HostState): readonly MergedPause[] {
  const merged: MergedPause[] = [];
  for (const pause of host.pauses ?? []) {
    const last = merged[merged.length - 1];
    if (last !== undefined && pause.tUs <= last.untilUs) last.untilUs = Math.max(last.untilUs, pause.untilUs);
    else merged.push({ fromUs: pause.tUs, untilUs: pause.untilUs, first: pause });
  }
  return merged;
}

/** Every pause of its own, up to the end of those that follow it with no time between. */
export function prolongedPauses(host: HostState): readonly MergedPause[] {
  const merged = mergedPauses(host);
  return (host.pauses ?? []).map((pause) => {
    const whole = merged.find(({ fromUs, untilUs }) => fromUs <= pause.tUs && pause.tUs < untilUs);
    return { fromUs: pause.tUs, untilUs: whole?.untilUs ?? pause.untilUs, first: pause };
  });
}

/** If the host is paused at a true time, when it resumes; else that time. */
export function resumeUs(host: HostState, tUs: number): number {
  if (host.pauses === null || tUs === Infinity) return tUs;
  for (const pause of mergedPauses(host))
    if (pause.fromUs <= tUs && tUs < pause.untilUs) return pause.untilUs;
  return tUs;
}

/** How much of [fromUs, untilUs) the host was paused. */
export function pausedWithin(host: HostState, fromUs: number, untilUs: number): number {
  if (host.pauses === null) return 0;
  let totalUs = 0;
  for (const pause of mergedPauses(host)) {
    totalUs += Math.max(0, Math.min(pause.untilUs, untilUs) - Math.max(pause.fromUs, fromUs));
  }
  return totalUs;
}

/**
 * Whether a pause began in or after the step in which the hold's acquire returned. A pause inside that step comes
 * before the return in true time: its event then stands behind an earlier event of the same step (the reply that
 * completed the votes), or a timer began the step, which leaves no event.
 */
export function beganAfterReturn(analysis: Analysis, hold: Hold, pause: MergedPause): boolean {
  const ok = hold.ok!;
  const began = pause.first.i;
  if (began > ok.i) return true;
  if (!pause.first.inStep || pause.untilUs < ok.tUs) return false;
  for (let index = ok.i - 1; index >= 0; index--) {
    const event = analysis.events[index]!;
    if (event.host !== hold.process.name || !('step' in event)) continue;
    if (event.step !== ok.step) return index < began;
    if (index < began) return true;
    if (event.kind === 'reply') return false;
  }
  return true;
}
