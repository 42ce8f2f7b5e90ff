/** What `lockpick init` writes: a lock to be replaced by the user's own, and its test. */

export interface StarterFile {
  readonly name: string;
  readonly text: string;
}

export function starterFiles(language: 'ts' | 'js'): readonly StarterFile[] {
  return [
    { name: `my-lock.${language}`, text: language === 'ts' ? typed(LOCK) : plain(LOCK) },
    { name: `my-lock.test.${language}`, text: TEST.replaceAll('LANGUAGE', language) },
  ];
}

/** What only TypeScript has is marked in the text: a line by `//:`, a part by `@@` around it. */
function typed(text: string): string {
  return text.replace(/^\/\/: ?/gm, '').replace(/@@(.*?)@@/g, '$1');
}

function plain(text: string): string {
  return text.replace(/^\/\/:.*\n/gm, '').replace(/@@.*?@@/g, '');
}

const LOCK = `/**
 * The lock that lockpick puts to the test, as production runs it: nothing is injected, \`Date\`, timers, randomness and npm packages are
 * used as always. Put your own in place of this one: import it, and make of its clients, calls and claims what you see below.
 *
 * A grant says what the lock itself claims and leaves out what it does not: \`validUntil\`, \`extend\`, \`lost\`, \`fence\` are optional.
 */
import { randomUUID } from 'node:crypto';
import { defineLock, NotAcquired } from 'lockpick';
//:
//: /** What this lock needs of an ioredis client. */
//: interface Redis {
//:   set(...args: (string | number)[]): Promise<string | null>;
//:   eval(...args: (string | number)[]): Promise<unknown>;
//: }

/** Deletes the key if it is still ours. */
const RELEASE = \`if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0\`;

export default defineLock@@<Redis>@@({
  name: 'my-lock',
  // How many independent servers it wants: 1, or 'many' for a quorum.
  servers: 1,
  connect: ({ clients, options }) => {
    const redis = clients[0]@@!@@;
    const retryDelayMs = Number(options['retryDelayMs'] ?? 100);
    const attempts = Number(options['retryCount'] ?? 20) + 1;
    return {
      async acquire(resource, { ttlMs, signal }) {
        const value = randomUUID();
        const release = async () => void (await redis.eval(RELEASE, 1, resource, value));
        for (let attempt = 0; attempt < attempts; attempt++) {
          signal?.throwIfAborted();
          // The lease runs from before the request, less what clocks may differ by.
          const endMs = performance.now() + ttlMs * 0.99 - 2;
          try {
            if ((await redis.set(resource, value, 'PX', ttlMs, 'NX')) === 'OK') {
              signal?.throwIfAborted();
              if (performance.now() < endMs)
                return { value, release, validUntil: () => ({ clock: 'monotonic', ms: endMs }) };
              await release();
            }
          } catch (error) {
            // The key may be there although no answer came.
            await release().catch(() => {});
            throw error;
          }
          await new Promise((resolve) => setTimeout(resolve, retryDelayMs * (0.5 + Math.random())));
        }
        throw new NotAcquired(\`\${resource} is taken\`);
      },
    };
  },
});
`;

const TEST = `import { expect, test } from 'vitest';
import { checkLock, runScenario } from 'lockpick/vitest';

const lock = new URL('./my-lock.LANGUAGE', import.meta.url);

// Failures that others had, and generated ones. The same seed gives the same runs: raise \`runs\`, or change \`seed\`, to look further.
test('the lock makes no mistake of its own', () => checkLock(lock, { runs: 1000, seed: 1 }), 120_000);

// One failure by name: the holder is frozen, and its lease ends meanwhile. \`npx lockpick list scenarios\` shows them all.
test('nobody else believes to hold the lock while its holder is frozen', async () => {
  const history = await runScenario('S1', { lock });
  expect(history).toHold(['mutual-exclusion', 'own-key-only']);
}, 60_000);
`;
