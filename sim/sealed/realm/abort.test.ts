import { afterAll, describe, expect, it } from 'vitest';
import { TestProcess, probe, removeScratch } from '../testing.js';

afterAll(removeScratch);

/** What the program computes with the host's own classes and with the realm's must be the same. */
async function same(body: string): Promise<unknown> {
  const sealed: unknown = await probe(body);
  const real: unknown = Reflect.construct(Function, [body])();
  expect(sealed).toEqual(await real);
  return sealed;
}

describe('AbortController and AbortSignal, as Node has them', () => {
  it('state, reason and throwIfAborted', async () => {
    await same(`const c = new AbortController(); const s = c.signal; const before = [s.aborted, s.reason, s === c.signal];
      c.abort('why'); c.abort('again'); let thrown; try { s.throwIfAborted(); } catch (e) { thrown = e; }
      return [before, s.aborted, s.reason, thrown, String(s), String(c), s instanceof AbortSignal, s instanceof EventTarget];`);
    await same(`const c = new AbortController(); c.abort(); const { name, message, code } = c.signal.reason;
      return [name, message, code, c.signal.reason instanceof DOMException, AbortSignal.abort().reason.name, AbortSignal.abort(3).reason];`);
  });

  it('listeners: order, once, removal, objects, onabort, stopping', async () => {
    const log = await same(`const c = new AbortController(); const s = c.signal; const log = [];
      const twice = () => log.push('twice'); const gone = () => log.push('gone');
      s.addEventListener('abort', twice); s.addEventListener('abort', twice); s.addEventListener('abort', twice, true);
      s.onabort = () => log.push('replaced'); s.addEventListener('abort', gone); s.removeEventListener('abort', gone);
      s.onabort = function (e) { log.push('onabort', this === s, e.type, e.target === s, e.defaultPrevented); };
      s.addEventListener('abort', { handleEvent(e) { log.push('object', e.type); } }, { once: true });
      s.addEventListener('abort', (e) => { log.push('stop'); e.stopImmediatePropagation(); });
      s.addEventListener('abort', () => log.push('never'));
      c.abort(); c.abort(); s.dispatchEvent(new Event('abort')); return log;`);
    expect(log).toContain('onabort');
  });

  it('a listener with a signal of its own, and one on a signal already aborted', async () => {
    await same(`const log = []; const target = new EventTarget(); const c = new AbortController();
      target.addEventListener('x', () => log.push('heard'), { signal: c.signal });
      target.addEventListener('x', () => log.push('never'), { signal: AbortSignal.abort() });
      target.dispatchEvent(new Event('x')); c.abort(); target.dispatchEvent(new Event('x'));
      AbortSignal.abort().addEventListener('abort', () => log.push('too late')); return log;`);
  });

  it('any follows all its sources, also through another any', async () => {
    // As the standard has it since 2024 (and Node from 22): all signals are aborted before any listener runs.
    const order =
      await probe(`const a = new AbortController(); const any = AbortSignal.any([a.signal]); let seen;
      a.signal.onabort = () => { seen = any.aborted; }; a.abort(); return seen;`);
    expect(order).toBe(true);
    await same(`const a = new AbortController(), b = new AbortController(); const log = [];
      const any = AbortSignal.any([a.signal, b.signal]); const nested = AbortSignal.any([any]);
      a.signal.addEventListener('abort', () => log.push('a'));
      any.addEventListener('abort', () => log.push('any')); nested.onabort = () => log.push('nested');
      a.abort('first'); b.abort('second');
      return [log, any.reason, nested.reason, AbortSignal.any([AbortSignal.abort(7), a.signal]).reason, AbortSignal.any([]).aborted];`);
  });

  it('signals are made by controllers alone', async () => {
    await same(
      `try { new AbortSignal(); return 'made'; } catch (error) { return error instanceof TypeError; }`,
    );
  });

  it('cancelable events, custom events and dispatch results', async () => {
    await same(`const t = new EventTarget(); t.addEventListener('x', (e) => e.preventDefault());
      const c = new CustomEvent('x', { detail: { a: 1 }, cancelable: true });
      return [t.dispatchEvent(new Event('x')), t.dispatchEvent(new Event('x', { cancelable: true })), t.dispatchEvent(c), c.detail,
        c instanceof Event, c.target === t, c.currentTarget, c.bubbles, c.eventPhase, new (class extends EventTarget {})() instanceof EventTarget];`);
  });

  it('works with the host’s modules that take signals and targets', async () => {
    expect(
      await probe(`const events = require('events'); const emitter = new events.EventEmitter(); const c = new AbortController();
        const target = new EventTarget(); setTimeout(() => target.dispatchEvent(new Event('ping')), 3);
        setTimeout(() => c.abort(), 5);
        return events.once(target, 'ping').then(([event]) => events.once(emitter, 'never', { signal: c.signal })
          .catch((error) => [event.type, error.name, performance.now()]));`),
    ).toEqual(['ping', 'AbortError', 5]);
  });

  it('a timeout keeps no run alive and costs no clock read', async () => {
    const process = new TestProcess();
    expect(await probe(`const s = AbortSignal.timeout(20); return s.aborted;`, { process })).toBe(false);
    process.runUntil(() => false);
    expect(process.nowMs).toBe(20);
  });
});
