/** Sockets of a sealed process, as Node's behave: order of events, half-close, resets, back-pressure, refusals. */
import { describe, expect, it } from 'vitest';
import { eventsOf, printed } from '../../testing/simulated.js';
import { output, program } from './testing.js';

/** The events of a socket, printed with their times. */
const WATCHED = `
  const net = await import('node:net');
  const t0 = performance.now();
  const at = () => (performance.now() - t0).toFixed(0);
  const watched = (socket) => {
    for (const event of ['lookup', 'connect', 'secureConnect', 'ready', 'end', 'finish', 'drain', 'timeout'])
      socket.on(event, () => say(at(), event));
    socket.on('error', (error) => say(at(), 'error', error.code, error.syscall, error.message));
    socket.on('close', (hadError) => say(at(), 'close', hadError));
    socket.on('data', (data) => say(at(), 'data', data.toString()));
    return socket;
  };`;

describe('sockets', () => {
  it('connect by name, speak, and close', async () => {
    expect(
      await output(`${WATCHED}
        const socket = watched(net.connect(6379, 'redis-1'));
        say(socket.connecting, socket.pending, socket.readyState, socket.write('PING\\r\\n'));
        await sleep(30);
        say(socket.remoteAddress, socket.remotePort, socket.bytesRead, socket.bytesWritten, socket.readyState);
        socket.end('ECHO bye\\r\\n');
        await sleep(50);
        say(socket.destroyed, net.isIP(socket.remoteAddress));`),
    ).toEqual([
      'true true opening true',
      '0 lookup',
      '10 connect',
      '10 ready',
      '20 data +PONG\r\n',
      '10.0.0.1 6379 7 6 open',
      '30 finish',
      '40 data $3\r\nbye\r\n',
      '40 end',
      '40 close false',
      'true 4',
    ]);
  });

  it('a reset is an error and a close, and what was written is lost', async () => {
    const faults = [{ atMs: 100, do: 'reset' as const, from: 'p1', to: 'redis-1' }];
    expect(
      await output(
        `${WATCHED}
        watched(net.createConnection({ host: 'redis-1', port: 6379 }));
        await sleep(200);`,
        { faults },
      ),
    ).toEqual([
      '0 lookup',
      '10 connect',
      '10 ready',
      '100 error ECONNRESET read read ECONNRESET',
      '100 close true',
    ]);
  });

  it('nobody listens: refused; the server is silent: timed out', async () => {
    expect(
      await output(`${WATCHED}
        watched(net.connect(1234, '10.0.0.1'));
        await sleep(50);`),
    ).toEqual(['10 error ECONNREFUSED connect connect ECONNREFUSED 10.0.0.1:1234', '10 close true']);
    const cut = await output(
      `${WATCHED}
      await sleep(10);
      const socket = watched(net.connect(6379, '10.0.0.1')).setTimeout(2000);
      await sleep(3000);
      say(socket.connecting);
      await sleep(20000);`,
      {
        network: { latencyMs: 5, giveUpMs: 10_000 },
        faults: [{ atMs: 1, do: 'partition', from: 'p1', to: 'redis-1', forMs: 30_000 }],
      },
    );
    expect(cut).toEqual([
      '2010 timeout',
      'true',
      '10015 error ETIMEDOUT connect connect ETIMEDOUT 10.0.0.1:6379',
      '10015 close true',
    ]);
  });

  it('a crash of the server ends it; a destroyed socket hears nothing more', async () => {
    expect(
      await output(`${WATCHED}
        const socket = watched(net.connect(6379, '10.0.0.1'));
        socket.write('PING\\r\\n');
        await sleep(12);
        socket.destroy(new Error('enough'));
        socket.destroy();
        say(socket.destroyed, socket.writable);
        await sleep(50);`),
    ).toEqual(
      ['10 connect', '10 ready', 'true false', '12 error   enough', '12 close true'].map((line) =>
        line.replace('error   ', 'error undefined undefined '),
      ),
    );
  });

  it('the server ends the connection: QUIT, and after a protocol error', async () => {
    expect(
      await output(`${WATCHED}
        watched(net.connect(6379, '10.0.0.1')).write('PING\\r\\nQUIT\\r\\n');
        await sleep(50);
        watched(net.connect(6379, '10.0.0.1')).write('*1\\r\\nPING\\r\\n');
        await sleep(50);`),
    ).toEqual([
      ...['10 connect', '10 ready', '20 data +PONG\r\n+OK\r\n', '20 end', '20 finish', '20 close false'],
      ...['60 connect', '60 ready', "70 data -ERR Protocol error: expected '$', got 'P'\r\n"],
      ...['70 end', '70 finish', '70 close false'],
    ]);
  });

  it('half open: goes on writing after the other end has closed', async () => {
    expect(
      await output(`${WATCHED}
        const socket = watched(net.connect({ port: 6379, host: '10.0.0.1', allowHalfOpen: true }));
        socket.write('QUIT\\r\\n');
        await sleep(50);
        say(socket.destroyed, socket.writable);
        socket.end();
        await sleep(50);`),
    ).toEqual([
      '10 connect',
      '10 ready',
      '20 data +OK\r\n',
      '20 end',
      'false true',
      '50 finish',
      '50 close false',
    ]);
  });

  it('back-pressure: full buffers, and drain when the other end has taken them', async () => {
    const lines = await output(`${WATCHED}
      const socket = watched(net.connect(6379, '10.0.0.1'));
      await sleep(20);
      socket.removeAllListeners('data').resume();
      const big = 'ECHO ' + 'x'.repeat(60000) + '\\r\\n';
      const results = [];
      for (let i = 0; i < 5; i++) results.push(socket.write(big));
      say(results, socket.writableLength > 0, socket.writableNeedDrain);
      await sleep(50);`);
    expect(lines).toEqual(['10 connect', '10 ready', '[true,true,true,false,false] true true', '25 drain']);
  });

  it('a paused socket keeps what comes', async () => {
    expect(
      await output(`
        const net = await import('node:net');
        const socket = net.connect(6379, '10.0.0.1');
        await new Promise((resolve) => socket.once('connect', resolve));
        socket.pause();
        socket.write('PING\\r\\n');
        await sleep(50);
        say(socket.readableLength);
        for await (const chunk of socket) { say(chunk.toString()); break; }
        say(socket.destroyed);`),
    ).toEqual(['7', '+PONG\r\n', 'true']);
  });

  it('tls has its own event; dns knows the machines', async () => {
    expect(
      await output(`${WATCHED}
        const { connect } = await import('node:tls');
        const dns = await import('node:dns');
        const socket = watched(connect({ host: 'redis-1', port: 6379 }, () => say('secure')));
        await sleep(20);
        say(socket.encrypted, socket.authorized);
        dns.lookup('redis-1', (error, address, family) => say(error, address, family));
        say(await dns.promises.lookup('redis-1', { all: true }));
        await dns.promises.lookup('nobody').catch((error) => say(error.code, error.hostname));
        socket.destroy();`),
    ).toEqual([
      ...['0 lookup', '10 connect', 'secure', '10 secureConnect', '10 ready', 'true true'],
      ...['null 10.0.0.1 4', '[{"address":"10.0.0.1","family":4}]', 'ENOTFOUND nobody', '20 close false'],
    ]);
  });

  it.each([
    ["net.connect(6379, 'example.org')", 'net.connect to example.org:6379'],
    ["net.createConnection('/tmp/redis.sock')", 'net.createConnection to /tmp/redis.sock'],
    ['net.createServer()', 'net.createServer'],
    [
      "new net.Socket().connect({ host: '192.168.0.1', port: 6379 })",
      'net.Socket.connect to 192.168.0.1:6379',
    ],
  ])('%s leaves the simulation', async (code, attempt) => {
    const history = await program(`const net = await import('node:net'); ${code};`);
    expect(eventsOf(history, 'trouble').map(({ what, error }) => [what, error.message])).toEqual([
      ['escape', expect.stringContaining(`the program tried to leave the simulation: ${attempt} (`)],
    ]);
  });

  it('what a listener throws is the process’s own', async () => {
    const history = await program(`
      const net = await import('node:net');
      const socket = net.connect(6379, '10.0.0.1', () => socket.write('PING\\r\\n'));
      socket.on('data', () => { throw new Error('in a listener'); });
      const silent = net.connect(1, '10.0.0.1');
      await sleep(50); say('goes on');`);
    expect(eventsOf(history, 'trouble').map(({ what, error }) => [what, error.message])).toEqual([
      ['uncaught', 'connect ECONNREFUSED 10.0.0.1:1'],
      ['uncaught', 'in a listener'],
    ]);
    expect(printed(history)).toEqual(['goes on']);
  });
});
