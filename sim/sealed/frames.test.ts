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

  it('is the user’s, though a package of theirs did it; what only a package did is named by its place in node_modules', async () => {
    const directory = await writeProgram({
      'package.json': '{"name":"mine"}',
      'lock.ts': `import { dial } from 'dialler';\nexport default { name: 'x', servers: 1, connect: (env: { later?: boolean }) =>\n  dial(env) };`,
      'node_modules/dialler/package.json': '{"name":"dialler","version":"1.0.0"}',
      'node_modules/dialler/index.js': `const net = require('net');\nexports.dial = ({ options }) => options.later ? process.nextTick(() => net.connect(1, 'db')) : net.connect(1, 'db');`,
    });
    const bundle = await bundleLock(`${directory}/lock.ts`);
    const places: (string | null)[] = [];
    for (const later of [false, true]) {
      const process = new TestProcess();
      await inMacrotask(() => {
        const { definition } = instantiate(bundle, process);
        process.step(() => void definition.connect({ clients: [], endpoints: [], options: { later } }));
      });
      places.push(describePlace(bundle, process.escapes[0]?.stack));
    }
    expect(places).toEqual(['lock.ts:3:3', 'node_modules/dialler/index.js:2:76']);
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
