/** Node only: how the bundler finds packages, and what a bundled file believes about its own path. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import type { Loader, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild';
import { aliasOf, manifestIn, type NpmPackage } from './installed.js';

/** The nearest directory, from `directory` up, that has a package.json; otherwise `directory`. */
export function packageRoot(directory: string): string {
  for (let at = directory; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, 'package.json'))) return at;
    if (path.dirname(at) === at) return directory;
  }
}

const SELF = packageRoot(path.dirname(fileURLToPath(import.meta.url)));

const inSlashes = (file: string): string => file.split(path.sep).join('/');

/** A name for a file or directory that is the same on every machine: `node_modules/redlock/redlock.js`, `src/my-lock.ts`. */
export function canonicalLabel(file: string, root: string): string {
  const slashed = inSlashes(file);
  const modules = slashed.lastIndexOf('/node_modules/');
  if (modules >= 0) return slashed.slice(modules + 1);
  const inside = inSlashes(path.relative(root, file));
  if (!inside.startsWith('..')) return inside;
  const owner = packageRoot(file);
  const rest = inSlashes(path.relative(owner, file));
  return `packages/${path.basename(owner)}${rest === '' ? '' : `/${rest}`}`;
}

const BARE = /^[^./]/;
const RESOLVING = Symbol('resolving');

function versionOf(resolvedFile: string, name: string): string | null {
  const marker = `node_modules/${name}/`;
  const slashed = inSlashes(resolvedFile);
  const at = slashed.lastIndexOf(marker);
  if (at < 0) return null;
  return manifestIn(slashed.slice(0, at + marker.length))?.version ?? null;
}

interface Attempt {
  readonly result?: OnResolveResult;
  /** The version that was found and is not the one wanted. */
  readonly wrong?: string;
}

async function resolveIn(
  build: PluginBuild,
  args: OnResolveArgs,
  directory: string,
  npm?: NpmPackage,
): Promise<Attempt> {
  const first = await ask(build, args, args.path, directory);
  if (npm === undefined || !(args.path === npm.package || args.path.startsWith(`${npm.package}/`))) {
    return first === null ? {} : { result: first };
  }
  const version = first === null ? null : versionOf(first.path as string, npm.package);
  if (first !== null && version === npm.version) return { result: first };
  const alias = aliasOf(npm, directory);
  const other =
    alias === null
      ? null
      : await ask(build, args, `${alias}${args.path.slice(npm.package.length)}`, directory);
  if (other !== null) return { result: other };
  return first === null ? {} : { wrong: version ?? 'unknown' };
}

async function ask(
  build: PluginBuild,
  { importer, namespace, kind }: OnResolveArgs,
  name: string,
  directory: string,
): Promise<OnResolveResult | null> {
  const found = await build.resolve(name, {
    importer,
    namespace,
    kind,
    resolveDir: directory,
    pluginData: RESOLVING,
  });
  if (found.errors.length > 0) return null;
  return { path: found.path, external: found.external, sideEffects: found.sideEffects, pluginData: null };
}

/** The contract that a user's lock module imports, wherever lockpick itself is installed. */
function ownEntry(): string | undefined {
  return ['src/index.ts', 'src/contract.ts', 'dist/src/index.js']
    .map((file) => path.join(SELF, file))
    .find((file) => existsSync(file));
}

/**
 * Packages are looked for in the user's directory first, then beside the importer, then in lockpick's own. In ESM
 * output, modules of Node become small CommonJS modules that ask the sealed require.
 * @param aliases packages under the names of others
 */
export function resolvePlugin(
  from: string | undefined,
  npm: NpmPackage | undefined,
  format: 'cjs' | 'esm',
  aliases: Readonly<Record<string, string>> = {},
): Plugin {
  return {
    name: 'sealed-resolve',
    setup(build) {
      build.onResolve({ filter: BARE }, async (args) => {
        if (args.pluginData === RESOLVING || args.kind === 'entry-point') return undefined;
        if (isBuiltin(args.path)) {
          return format === 'cjs'
            ? { path: args.path, external: true }
            : { path: args.path, namespace: 'sealed-builtin' };
        }
        if (args.path === 'lockpick') return { path: ownEntry() };
        const asked = { ...args, path: aliases[args.path] ?? args.path };
        const fromPackage = args.importer.includes(`${path.sep}node_modules${path.sep}`);
        const places = fromPackage ? [args.resolveDir] : [from, args.resolveDir, SELF];
        let wrong: string | undefined;
        for (const place of places) {
          if (place === undefined) continue;
          const attempt = await resolveIn(build, asked, path.resolve(place), npm);
          if (attempt.result !== undefined) return attempt.result;
          wrong ??= attempt.wrong;
        }
        if (wrong === undefined) return undefined;
        const notes = [{ text: `found version ${wrong}` }];
        return { errors: [{ text: `Could not resolve "${args.path}"`, notes }] };
      });
      build.onLoad({ filter: /.*/, namespace: 'sealed-builtin' }, (args) => ({
        contents: `module.exports = __lockpick_require(${JSON.stringify(args.path)});`,
        loader: 'js',
      }));
    },
  };
}

/** Packages by name whose place a module of the given text takes. */
export function standInPlugin(texts: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'sealed-stand-ins',
    setup(build) {
      if (Object.keys(texts).length === 0) return;
      build.onResolve({ filter: BARE }, ({ path: asked }) =>
        Object.hasOwn(texts, asked) ? { path: asked, namespace: 'sealed-stand-in' } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: 'sealed-stand-in' }, ({ path: asked }) => ({
        contents: texts[asked],
        loader: 'js',
      }));
    },
  };
}

/** A native addon is bundled as a request for it, which the sealed require refuses by its name. */
export function nativeAddonPlugin(root: string): Plugin {
  return {
    name: 'sealed-native-addons',
    setup(build) {
      build.onLoad({ filter: /\.node$/ }, (args) => ({
        contents: `__lockpick_require(${JSON.stringify(canonicalLabel(args.path, root))});`,
        loader: 'js',
      }));
    },
  };
}

const LOADERS: Readonly<Record<string, Loader>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.jsx': 'jsx',
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
};
const MENTIONS_PATH = /\b__dirname\b|\b__filename\b|\bimport\.meta\b/;

/** `__dirname`, `__filename` and `import.meta.url` of each file are its sealed path. */
export function ownPathsPlugin(root: string): Plugin {
  return {
    name: 'sealed-own-paths',
    setup(build) {
      build.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, async (args) => {
        const contents = await readFile(args.path, 'utf8');
        if (!MENTIONS_PATH.test(contents)) return undefined;
        const sealed = `/sealed/${canonicalLabel(args.path, root)}`;
        const directory = path.posix.dirname(sealed);
        const { code } = await transform(contents, {
          loader: LOADERS[path.extname(args.path)] ?? 'js',
          sourcefile: args.path,
          sourcemap: 'inline',
          define: {
            __filename: JSON.stringify(sealed),
            __dirname: JSON.stringify(directory),
            'import.meta.url': JSON.stringify(`file://${sealed}`),
            'import.meta.filename': JSON.stringify(sealed),
            'import.meta.dirname': JSON.stringify(directory),
          },
        });
        return { contents: code, loader: 'js' };
      });
    },
  };
}
