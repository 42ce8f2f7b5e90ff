import { describe, expect, it } from 'vitest';
import { inProcess } from './testing/in-process.js';
import { workInWorkplace } from './testing/work-in.js';

const ON_MOCK = ['--set', 'servers.engine=ioredis-mock'];

workInWorkplace();

describe('the engine ioredis-mock', () => {
  it('runs a scenario, of which the same is expected', async () => {
    const { code, stdout } = await inProcess(['run', 'S7', '--lock', 'redlock@4.2.0', '--json', ...ON_MOCK]);
    expect(JSON.parse(stdout)).toMatchObject({
      scenario: 'S7',
      asExpected: true,
      history: 'lockpick-out/S7-redlock@4.2.0-seed1-ioredis-mock.history.jsonl',
    });
    expect(code).toBe(0);
  });

  it('shows where the matrix comes out otherwise, and how to see it again', async () => {
    const cell = ['S12', '--lock', 'redlock@4.2.0'];
    const { code, stdout } = await inProcess(['matrix', ...cell, ...ON_MOCK]);
    expect(stdout).toContain('no-orphan: expected violated/infrastructure, found holds');
    expect(stdout).toContain('npx lockpick run S12 --lock redlock@4.2.0 --set servers.engine=ioredis-mock');
    expect(code).toBe(1);
    expect((await inProcess(['matrix', ...cell, '--quiet'])).code).toBe(0);
  });

  it('is refused what it cannot play, by name', async () => {
    const { code, stderr } = await inProcess(['run', 'S23', ...ON_MOCK]);
    expect(stderr).toMatch(/--set: servers\.persistence: the engine ioredis-mock is one master in memory/);
    expect(code).toBe(2);
    expect((await inProcess(['matrix', 'S23', ...ON_MOCK])).code).toBe(2);
  });

  it('is suggested where its name is misspelt', async () => {
    const { code, stderr } = await inProcess(['run', 'S1', '--set', 'servers.engine=ioredis-moc']);
    expect(stderr).toMatch(/did you mean ioredis-mock\?/);
    expect(code).toBe(2);
  });
});
