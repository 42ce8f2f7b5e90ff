import { afterAll, describe, expect, it } from 'vitest';
import { TestProcess, probe, removeScratch } from '../testing.js';

afterAll(removeScratch);

describe('process', () => {
  it('looks like Node on one machine, whatever the machine', async () => {
    const result =
      await probe(`return [process.platform, process.arch, process.version === 'v' + process.versions.node, process.cwd(),
      Object.keys(process.env), process.memoryUsage().rss > 0, process.memoryUsage.rss() > 0, typeof process.exit, process.pid,
      process.argv.length, require('process') === process, process.release.name, require('tty').isatty(1), process.stdout.isTTY]`);
    expect(result).toEqual([
      'linux',
      'x64',
      true,
      '/sealed',
      [],
      true,
      true,
      'function',
      1001,
      2,
      true,
      'node',
      false,
      false,
    ]);
  });

  it('exit ends the process with its code', async () => {
    const process = new TestProcess();
    await probe(`process.exit(3);`, { process });
    expect(process.exitCode).toBe(3);
    const other = new TestProcess();
    await probe(`process.exitCode = 4; process.exit();`, { process: other });
    expect(other.exitCode).toBe(4);
  });

  it('keeps listeners as an emitter does', async () => {
    expect(
      await probe(`const log = []; const gone = () => log.push('gone');
        process.on('x', (a) => log.push(a)).once('x', () => log.push('once')).on('x', gone).off('x', gone);
        process.prependListener('x', () => log.push('first'));
        const heard = [process.emit('x', 1), process.emit('x', 2), process.emit('nobody')];
        return [log, heard, process.listenerCount('x'), process.eventNames(), process.removeAllListeners('x').listenerCount('x')];`),
    ).toEqual([['first', 1, 'once', 'first', 2], [true, true, false], 2, ['x'], 0]);
  });

  it('warnings and output are lines of the run', async () => {
    const process = new TestProcess();
    await probe(
      `process.emitWarning('careful'); process.stdout.write('out\\n'); process.stderr.write('err\\n'); console.warn('%s=%d', 'a', 1);
       console.group('g'); console.info('in'); console.groupEnd(); console.assert(1 > 2, 'wrong'); console.time('t');
       setTimeout(() => console.timeEnd('t'), 12); return new Promise((r) => setTimeout(r, 20));`,
      { process },
    );
    expect(process.printedLines).toEqual([
      'warn: Warning: careful',
      'log: out',
      'error: err',
      'warn: a=1',
      'log: g',
      'log:   in',
      'error: Assertion failed wrong',
      'log: t: 12.000ms',
    ]);
  });
});
