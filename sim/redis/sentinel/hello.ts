/** Hello messages: through them Sentinels find each other, and the newest configuration of a master spreads. */
import { sameAddress, type Instance } from './instance.js';
import type { SentinelServer } from './server.js';
import { HELLO_CHANNEL, SENTINEL_PORT } from './timing.js';

/** Who says it, its epoch, and which server it takes for the master, since which epoch. */
interface Hello {
  readonly host: string;
  readonly port: number;
  readonly runId: string;
  readonly epoch: number;
  readonly master: string;
  readonly masterHost: string;
  readonly masterPort: number;
  readonly configEpoch: number;
}

export function sayHello(sentinel: SentinelServer, instance: Instance): void {
  const { master, link } = instance;
  const { host, port } = master.currentAddress;
  const parts = [
    sentinel.name,
    SENTINEL_PORT,
    sentinel.runId,
    sentinel.epoch,
    master.name,
    host,
    port,
    master.configEpoch,
  ];
  if (link.send(['PUBLISH', HELLO_CHANNEL, parts.join(',')])) instance.helloSentMs = sentinel.nowMs;
}

function read(text: string): Hello | null {
  const parts = text.split(',');
  if (parts.length !== 8) return null;
  const [host, port, runId, epoch, master, masterHost, masterPort, configEpoch] = parts as [
    ...[string, string, string, string, string, string, string, string],
  ];
  return {
    host,
    port: Number(port),
    runId,
    epoch: Number(epoch),
    master,
    masterHost,
    masterPort: Number(masterPort),
    configEpoch: Number(configEpoch),
  };
}

export function hearHello(sentinel: SentinelServer, text: string): void {
  const hello = read(text);
  if (hello === null || hello.runId === sentinel.runId) return;
  const master = sentinel.masters.get(hello.master);
  if (master === undefined) return;
  let other = master.sentinels.get(hello.runId);
  if (other === undefined) {
    other = master.addSentinel(hello.runId, { host: hello.host, port: hello.port });
  }
  sentinel.adoptEpoch(hello.epoch);
  if (master.configEpoch < hello.configEpoch) {
    master.configEpoch = hello.configEpoch;
    const address = { host: hello.masterHost, port: hello.masterPort };
    if (!sameAddress(address, master.address)) {
      sentinel.event('+config-update-from', other);
      sentinel.switchMaster(master, address);
    }
  }
  other.helloMs = sentinel.nowMs;
}
