/** Everything stands 5 ms from everything, so that a command takes 10 ms, and so does opening a connection. */
import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../scenario/schema.js';
import { eventsOf, lockModule, printed, simulated } from '../../testing/simulated.js';

const NODES = [1, 2, 3].flatMap((index) => [`redis-${index}`, `redis-${index}-replica-1`]);

/** What a program prints that has the client `c` of a cluster with three masters and a replica each; `ms()`: its clock. */
async function output(program: string, scenario: Partial<ScenarioInput> = {}): Promise<string[]> {
  const lock = lockModule(`
    const c = env.clients[0];
    const ms = () => Math.round(performance.now());
    const failure = (promise) => promise.then((value) => 'no failure: ' + value, (error) => error.message);
    ${program}
    return { release: async () => {} };`);
  const history = await simulated(
    {
      workload: { workMs: 0, steps: 0 },
      ...scenario,
      servers: { count: 3, replicas: 1, cluster: { nodeTimeoutMs: 1000 }, ...scenario.servers },
    },
    lock,
  );
  expect(eventsOf(history, 'trouble')).toEqual([]);
  return printed(history);
}

describe('the client of a cluster', () => {
  it('is one, whatever the number of masters, and knows them all', async () => {
    expect(
      await output(`
        console.log(env.clients.length, c.isCluster, c.status, env.endpoints.join(' '));
        console.log(c.nodes('master').map((node) => node.options.host).join(' '));
        console.log(c.nodes('slave').length, c.nodes().length);`),
    ).toEqual([
      '1 true ready redis://redis-1:6379 redis://redis-2:6379 redis://redis-3:6379',
      'redis-1 redis-2 redis-3',
      '3 6',
    ]);
  });

  it('sends a command to the master of its key, and a script by the keys it declares', async () => {
    expect(
      await output(`
        await c.set('a', '1');
        await c.set('b', '2');
        await c.set('lock:a', '3');
        c.defineCommand('both', { numberOfKeys: 2, lua: "return redis.call('get', KEYS[1]) .. redis.call('get', KEYS[2])" });
        await c.set('{a}2', '4');
        console.log(await c.both('a', '{a}2'), ms());
        for (const node of c.nodes('master')) console.log(node.options.host, await node.dbsize());`),
    ).toEqual(['14 60', 'redis-1 1', 'redis-2 1', 'redis-3 2']);
  });

  it('is told CROSSSLOT for a script over several slots; a hash tag makes it one', async () => {
    expect(
      await output(`
        const script = 'return #KEYS';
        console.log(await failure(c.eval(script, 2, 'a', 'b')));
        console.log(await failure(c.mset('a', '1', 'b', '2')));
        console.log(await c.eval(script, 2, '{a}1', '{a}2'));`),
    ).toEqual([
      "CROSSSLOT Keys in request don't hash to the same slot",
      "CROSSSLOT Keys in request don't hash to the same slot",
      '2',
    ]);
  });

  it('sends pipelines and transactions to one node, and refuses those over several', async () => {
    expect(
      await output(`
        console.log(JSON.stringify(await c.pipeline().set('{a}1', '1').get('{a}1').exec()));
        console.log(JSON.stringify(await c.multi().set('{a}1', '2').incr('{a}1').exec()));
        console.log(await failure(c.pipeline().get('a').get('b').exec()));
        console.log(await failure(c.multi().get('a').get('b').exec()));
        console.log(await failure(c.pipeline().mget('a', 'b').exec()));
        console.log(await failure(c.multi().set('b', '1').set('f', '1').exec()));`),
    ).toEqual([
      '[[null,"OK"],[null,"1"]]',
      '[[null,"OK"],[null,3]]',
      'All keys in the pipeline should belong to the same slots allocation group',
      'All keys in the pipeline should belong to the same slots allocation group',
      'All the keys in a pipeline command should belong to the same slot',
      "CROSSSLOT Keys in request don't hash to the same slot",
    ]);
  });

  it('follows MOVED to a master that it did not know to be one, and asks for the slots', async () => {
    const lines = await output(
      `
        await new Promise((resolve) => setTimeout(resolve, 200));
        const before = ms();
        console.log(await c.set('a', '1'), ms() - before);
        await new Promise((resolve) => setTimeout(resolve, 100));
        const again = ms();
        console.log(await c.get('a'), ms() - again);
        console.log(c.nodes('master').map((node) => node.options.host).join(' '));`,
      { faults: [{ atMs: 100, do: 'promote', host: 'redis-3' }] },
    );
    // MOVED, a connection, the command; then the command alone.
    expect(lines).toEqual(['OK 30', '1 10', 'redis-1 redis-2 redis-3-replica-1']);
  });

  it('sends a pipeline again that was moved as a whole', async () => {
    const lines = await output(
      `
        await new Promise((resolve) => setTimeout(resolve, 200));
        console.log(JSON.stringify(await c.multi().set('a', '1').get('a').exec()));
        console.log(JSON.stringify(await c.pipeline().set('a', '2').get('a').exec()));`,
      { faults: [{ atMs: 100, do: 'promote', host: 'redis-3' }] },
    );
    expect(lines).toEqual(['[[null,"OK"],[null,"1"]]', '[[null,"OK"],[null,"2"]]']);
  });

  it('gets through a failover within its redirections, or not, as time has it', async () => {
    const program = `
        await c.set('a', '1');
        await new Promise((resolve) => setTimeout(resolve, START));
        const before = ms();
        const reply = await failure(c.get('a'));
        console.log(reply, ms() - before > 100);`;
    const faults: ScenarioInput['faults'] = [{ atMs: 500, do: 'crash', host: 'redis-3' }];
    // From the crash to the promotion at most 1.7 s of suspicion and 1.2 s of election.
    expect(await output(program.replace('START', '2300'), { faults })).toEqual(['no failure: 1 true']);
    const [line] = await output(program.replace('START', '500'), { faults });
    expect(line).toMatch(/^Too many Cluster redirections\. Last error: .* true$/);
  });

  it('waits while the cluster is down, a tenth of a second between attempts', async () => {
    const lines = await output(
      `
        await new Promise((resolve) => setTimeout(resolve, 3000));
        const before = ms();
        console.log(await failure(c.get('b')), ms() - before);`,
      { servers: { replicas: 0 }, faults: [{ atMs: 500, do: 'crash', host: 'redis-3' }] },
    );
    // Sixteen attempts follow the first one, each after 100 ms and each to a random master: the one that is down refuses.
    expect(lines[0]).toMatch(
      /^Too many Cluster redirections\. Last error: (ReplyError: CLUSTERDOWN The cluster is down|Error: Connection is closed\.) 1770$/,
    );
  });

  it('has one time-out for a command and all its attempts', async () => {
    const lines = await output(
      `
        await new Promise((resolve) => setTimeout(resolve, 3000));
        const before = ms();
        console.log(await failure(c.get('b')), ms() - before);`,
      {
        processes: { count: 1, client: { commandTimeoutMs: 450 } },
        servers: { replicas: 0 },
        faults: [{ atMs: 500, do: 'crash', host: 'redis-3' }],
      },
    );
    expect(lines).toEqual(['Command timed out 450']);
  });

  it('that starts later asks the masters for the slots first', async () => {
    const lines = await output(
      `
        const before = ms();
        console.log(c.status, await c.set('a', '1'), ms() - before);`,
      { workload: { startMs: 50, workMs: 0, steps: 0 } },
    );
    // CLUSTER SLOTS and CLUSTER INFO on connections of their own, then one to the master: 3 × 20 ms.
    expect(lines).toEqual(['connecting OK 60']);
  });

  it('connects anew when no node is left', async () => {
    const all = NODES;
    const lines = await output(
      `
        await new Promise((resolve) => setTimeout(resolve, 1000));
        console.log(await failure(c.set('a', '1')));
        await new Promise((resolve) => setTimeout(resolve, 6000));
        console.log(c.status, await c.set('a', '1'));`,
      { faults: all.map((host) => ({ atMs: 500, do: 'crash' as const, host, restartAfterMs: 3000 })) },
    );
    expect(lines[1]).toBe('ready OK');
    expect(lines[0]).not.toMatch(/^no failure/);
  });

  it('hears what is published anywhere, on a connection of its own, and again after that is lost', async () => {
    const lines = await output(
      `
        const heard = [];
        c.on('message', (channel, message) => heard.push(message));
        const wait = (for_) => new Promise((resolve) => setTimeout(resolve, for_));
        console.log(await c.subscribe('news'), await c.set('a', '1'));
        for (let i = 0; i < 6; i++) await c.publish('news', String(i));
        for (const node of c.nodes()) await node.publish('news', node.options.host);
        await wait(20);
        console.log(heard.join(' '));
        heard.length = 0;
        await wait(1000);
        await c.publish('news', 'again');
        await wait(20);
        console.log(heard.join(' '));`,
      {
        faults: NODES.map((to) => ({ atMs: 500, do: 'reset' as const, from: 'p1', to })),
      },
    );
    expect(lines[0]).toBe('1 OK');
    expect(lines[1]!.split(' ').sort()).toEqual([...'012345', ...NODES].sort());
    expect(lines[2]).toBe('again');
  });

  it('lets its connections go at the end', async () => {
    expect(
      await output(`
        await c.get('a');
        console.log(await c.quit(), c.status, await failure(c.get('a')));`),
    ).toEqual(['OK end Connection is closed.']);
  });

  it('does the same for the same seed', async () => {
    const faults: ScenarioInput['faults'] = [{ atMs: 500, do: 'crash', host: 'redis-3' }];
    const program = `
      for (let i = 0; i < 40; i++) {
        await failure(c.set('a' + i, '1'));
        await c.ping();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      console.log(ms());`;
    expect(await output(program, { faults })).toEqual(await output(program, { faults }));
  });
});
