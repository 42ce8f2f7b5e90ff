/** The same programs over Node's own sockets and over simulated ones: the same events, in the same order. */
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { output } from './testing.js';

/** Answers the few commands that the programs send; `PING reset` breaks the connection instead. */
const server = net.createServer({ allowHalfOpen: false }, (socket) => {
  socket.on('error', () => {});
  socket.on('data', (data) => {
    for (const line of data.toString().split('\r\n')) {
      if (line === 'PING reset') socket.resetAndDestroy();
      else if (line === 'PING') socket.write('+PONG\r\n');
      else if (line === 'QUIT') socket.end('+OK\r\n');
    }
  });
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as net.AddressInfo).port;
});
afterAll(() => server.close());

const WATCHED = `
  const watched = (socket) => {
    for (const event of ['connect', 'ready', 'end', 'finish', 'drain', 'timeout', 'prefinish'])
      socket.on(event, () => say(event));
    socket.on('error', (error) => say('error', String(error.code), String(error.syscall), String(error.errno), error.message.replace(/ 1\\d.*/, '')));
    socket.on('close', (hadError) => say('close', hadError, socket.destroyed, socket.readable, socket.writable));
    socket.on('data', (data) => say('data', data.toString()));
    return socket;
  };`;

const PROGRAMS: Readonly<Record<string, string>> = {
  'speaks and ends': `
    const socket = watched(net.connect(port, host));
    say(socket.connecting, socket.pending, socket.readyState, socket.write('PING\\r\\n'), socket.bytesWritten);
    await sleep(60);
    say(socket.connecting, socket.pending, socket.readyState, socket.bytesRead, socket.bytesWritten);
    socket.end();
    say(socket.readyState, socket.writable, socket.writableEnded);
    await sleep(60);
    say(socket.readyState);`,
  'is ended by the server': `
    const socket = watched(net.connect({ port, host }));
    socket.write('PING\\r\\nQUIT\\r\\n');
    await sleep(60);
    say(socket.write('PING\\r\\n'));
    await sleep(60);`,
  'stays half open': `
    const socket = watched(net.connect({ port, host, allowHalfOpen: true }));
    socket.write('QUIT\\r\\n');
    await sleep(60);
    say(socket.destroyed, socket.readyState);
    socket.end();
    await sleep(60);`,
  'is reset': `
    const socket = watched(net.connect(port, host));
    socket.once('connect', () => socket.write('PING reset\\r\\n'));
    await sleep(60);
    say(socket.readyState);`,
  'is reset while it writes': `
    const socket = watched(net.connect(port, host));
    socket.write('PING reset\\r\\n', (error) => say('written', error ? error.code : 'ok'));
    await sleep(60);
    socket.write('PING\\r\\n', (error) => say('later', error?.code));
    await sleep(60);`,
  'is refused': `
    const socket = watched(net.connect(1, host));
    socket.write('PING\\r\\n', (error) => say('written', error.code));
    await sleep(60);`,
  'destroys itself': `
    const socket = watched(net.connect(port, host));
    await new Promise((resolve) => socket.once('ready', resolve));
    socket.write('PING\\r\\n');
    say(socket.destroy(new Error('enough')) === socket, socket.destroyed);
    await sleep(60);`,
  'destroys itself before it is connected': `
    const socket = watched(net.connect(port, host));
    socket.write('PING\\r\\n', (error) => say('written', error.code));
    socket.destroy();
    await sleep(60);`,
  'times out': `
    const socket = watched(net.connect(port, host));
    socket.setTimeout(30, () => { say('idle'); socket.destroy(); });
    await sleep(100);`,
  'ends at once': `
    const socket = watched(net.connect(port, host, () => say('listener')));
    socket.end('PING\\r\\n');
    await sleep(60);`,
  'is iterated': `
    const socket = net.connect(port, host);
    socket.write('PING\\r\\nQUIT\\r\\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    say(text, socket.destroyed);`,
  'corks its writes': `
    const socket = watched(net.connect(port, host));
    await new Promise((resolve) => socket.once('ready', resolve));
    socket.cork(); socket.write('PI'); socket.write('NG\\r\\n'); say(socket.writableLength); socket.uncork();
    await sleep(60);
    socket.destroySoon();
    await sleep(60);`,
};

type Program = (
  net: unknown,
  host: string,
  port: number,
  say: (...words: unknown[]) => void,
  sleep: (ms: number) => Promise<void>,
) => Promise<void>;

async function inReality(body: string): Promise<string[]> {
  const lines: string[] = [];
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => Program;
  const run = new AsyncFunction('net', 'host', 'port', 'say', 'sleep', WATCHED + body);
  await run(
    net,
    '127.0.0.1',
    port,
    (...words) =>
      lines.push(words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(' ')),
    // On a busy machine a round trip takes its time.
    (ms) => new Promise((resolve) => setTimeout(resolve, ms * 5)),
  );
  return lines;
}

describe('a socket that', () => {
  it.each(Object.keys(PROGRAMS))('%s', async (name) => {
    const body = PROGRAMS[name]!;
    const simulated = await output(
      `const net = await import('node:net'); const host = '10.0.0.1'; const port = 6379; ${WATCHED} ${body}`,
      {
        faults: body.includes('PING reset')
          ? [{ on: { event: 'applied', command: 'PING' }, do: 'reset', from: 'p1', to: 'redis-1' }]
          : [],
      },
    );
    const real = await inReality(body);
    expect(real.length).toBeGreaterThan(0);
    expect(simulated).toEqual(real);
  });
});
