import { afterAll, describe, expect, it } from 'vitest';
import { bundleLock } from './bundle.js';
import { describePlace } from './frames.js';
import { instantiate } from './instance.js';
import { TestProcess, bundleText, inMacrotask, removeScratch, writeProgram } from './testing.js';

afterAll(removeScratch);

const loadFailure = async (text: string, name: string): Promise<string> => {
  const bundle = await bundleText(text, name);
  return inMacrotask(() => {
    try {
      instantiate(bundle, new TestProcess());
      return 'it loads';
    } catch (error) {
      return (error as Error).message;
    }
  });
};

describe('a place in the program', () => {
  it('is named in its own sources, in TypeScript, CommonJS and after a top-level await', async () => {
    const typed = `interface Long {\n  a: string;\n}\nconst x: Long | null = null;\n\n  (x as unknown as Long).a.at(0);\nexport default x;`;
    expect(await loadFailure(typed, 'lock.ts')).toMatch(/\(lock\.ts:6:26\)$/);
    expect(await loadFailure(`\n\nnull.f();`, 'lock.cjs')).toMatch(/\(lock\.cjs:3:6\)$/);
    expect(await loadFailure(`await null;\nnull.f();`, 'lock.mjs')).toMatch(/\(lock\.mjs:2:6\)$/);
  });

  it('of an escape is the line that tried, in the file that did', async () => {
    const directory = await writeProgram({
      'lock.ts': `import { dial } from './lib/dial';\nexport default { name: 'x', servers: 1, connect: () => dial() };`,
      'lib/dial.ts': `import net from 'node:net';\n\nexport function dial(): unknown {\n  return net.connect(6379, 'db');\n}\n`,
    });
    const bundle = await bundleLock(`${directory}/lock.ts`);
    const process = new TestProcess();
    await inMacrotask(() => {
      const { definition } = instantiate(bundle, process);
      process.step(() => void definition.connect({ clients: [], endpoints: [], options: {} }));
    });
    expect(process.escapes).toHaveLength(1);
    expect(describePlace(bundle, process.escapes[0]?.stack)).toBe('lib/dial.ts:4:14');
    expect(describePlace(bundle, new Error('elsewhere').stack)).toBeNull();
  });
});
