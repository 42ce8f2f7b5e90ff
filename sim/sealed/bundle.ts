/** Node only: bundles a lock module, with all it imports, into the body of a function whose free names are parameters. */
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { BuildFailure, BuildOptions, BuildResult, Metafile } from 'esbuild';
import {
  canonicalLabel,
  nativeAddonPlugin,
  ownPathsPlugin,
  packageRoot,
  resolvePlugin,
  standInPlugin,
} from './bundle-plugins.js';
import { LockModuleError } from './errors.js';
import { manifestIn, type NpmPackage } from './installed.js';
import './node-builtins.js';

/** A lock module as text. Plain data: it can be posted to a worker thread or a page. */
export interface LockBundle {
  /** The entry's file name without extension. */
  readonly name: string;
  /** The entry, relative to the root of its package; `/` between parts. */
  readonly entry: string;
  /** A function body: of `module`, `exports`, `require` and the names of the realm. */
  readonly source: string;
  /** SHA-256 of `source` in hex; the same on every machine. */
  readonly hash: string;
  /** Source map of `source`, as JSON. */
  readonly sourceMap: string;
  /** True when the module awaits at its top level. */
  readonly isAsync: boolean;
  /** Where the program's packages are on this machine, by their sealed path: it may read its own files. */
  readonly roots: Readonly<Record<string, string>>;
}

export interface BundleOptions {
  /** Directory from which npm packages are resolved first; otherwise the entry's. */
  readonly from?: string;
  /** The package (and exact version) that an adapter is about. */
  readonly npm?: NpmPackage;
  /** A module bundled beside the entry, in the same module graph: what it exports as `openClients` makes the lock's clients. */
  readonly companion?: string;
  /** Packages under the names of others: `{ ioredis: 'ioredis-6' }`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The text of a CommonJS module instead of a package that a program loads, never uses and cannot have in the seal. */
  readonly standIns?: Readonly<Record<string, string>>;
}

const MISSING = /^Could not resolve "([^"]+)"/;
const NEEDS_ESM = /Top-level await/;

/**
 * Bundles the lock module at `entryPath` (TypeScript, ESM or CommonJS, with its node_modules).
 * @throws LockModuleError when it is not found, does not parse (with file:line), or imports what is not installed.
 */
export async function bundleLock(entryPath: string, options: BundleOptions = {}): Promise<LockBundle> {
  const entry = path.resolve(entryPath);
  if (!existsSync(entry) || !statSync(entry).isFile()) {
    throw new LockModuleError('not-found', `cannot find the lock module ${entryPath} (looked for ${entry})`);
  }
  const root = packageRoot(path.dirname(entry));
  const built = await buildEither(entry, root, options);
  const text = (suffix: string): string =>
    built.outputFiles?.find((file) => file.path.endsWith(suffix))?.text ?? '';
  const inputs = (built.metafile as Metafile).inputs;
  const labelled = relabel(text('.js'), Object.keys(inputs), root, options.npm);
  const isAsync = built.isAsync;
  const source = isAsync ? returnExports(labelled) : labelled;
  return {
    name: path.basename(entry).replace(/\.[cm]?[jt]sx?$/, ''),
    entry: path.relative(root, entry).split(path.sep).join('/'),
    source,
    hash: createHash('sha256').update(source).digest('hex'),
    sourceMap: text('.map'),
    isAsync,
    roots: rootsOf(Object.keys(inputs), root),
  };
}

type Built = BuildResult & { isAsync: boolean };

async function buildEither(entry: string, root: string, options: BundleOptions): Promise<Built> {
  try {
    return { ...(await build(settings(entry, root, options, 'cjs'))), isAsync: false };
  } catch (error) {
    if (!isFailure(error)) throw error;
    if (!error.errors.some((problem) => NEEDS_ESM.test(problem.text)))
      throw explain(error, entry, root, options);
  }
  try {
    return { ...(await build(settings(entry, root, options, 'esm'))), isAsync: true };
  } catch (error) {
    if (!isFailure(error)) throw error;
    throw explain(error, entry, root, options);
  }
}

function settings(entry: string, root: string, options: BundleOptions, format: 'cjs' | 'esm'): BuildOptions {
  return {
    absWorkingDir: root,
    ...entryOf(entry, root, options.companion),
    outfile: path.join(root, 'lock.js'),
    write: false,
    bundle: true,
    platform: 'node',
    format,
    target: 'node20',
    charset: 'utf8',
    metafile: true,
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    treeShaking: true,
    keepNames: false,
    logLevel: 'silent',
    // A path computed at run time goes through the sealed require like any other.
    supported: { 'dynamic-import': false },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      standInPlugin(options.standIns ?? {}),
      resolvePlugin(options.from, options.npm, format, options.aliases),
      nativeAddonPlugin(root),
      ownPathsPlugin(root),
    ],
  };
}

/** The lock module, alone or with a companion under names of their own. */
function entryOf(entry: string, root: string, companion: string | undefined): BuildOptions {
  if (companion === undefined) return { entryPoints: [entry] };
  const contents = `import * as lock from ${JSON.stringify(entry)};
import { openClients } from ${JSON.stringify(companion)};
export { lock, openClients };`;
  return { stdin: { contents, resolveDir: root, sourcefile: 'lock-and-clients', loader: 'js' } };
}

function isFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && Array.isArray((error as Partial<BuildFailure>).errors);
}

function explain(
  failure: BuildFailure,
  entry: string,
  root: string,
  { npm }: BundleOptions,
): LockModuleError {
  const [problem] = failure.errors;
  if (problem === undefined)
    return new LockModuleError('syntax', `cannot bundle ${entry}: ${failure.message}`);
  const { location } = problem;
  const file = location === null ? entry : path.resolve(root, location.file);
  const where = location === null ? file : `${file}:${location.line}:${location.column + 1}`;
  const missing = MISSING.exec(problem.text)?.[1];
  if (missing === undefined) return new LockModuleError('syntax', `${where}: ${problem.text}`);
  if (/^[./]/.test(missing)) {
    return new LockModuleError('not-found', `${where}: imports ${missing}, which does not exist`);
  }
  const name = missing.startsWith('@')
    ? missing.split('/').slice(0, 2).join('/')
    : (missing.split('/')[0] as string);
  const wanted = npm?.package === name ? `${name}@${npm.version}` : name;
  const found = problem.notes.find((note) => note.text.startsWith('found '))?.text;
  const about = found === undefined ? 'which is not installed' : `but ${found}`;
  return new LockModuleError(
    'missing-package',
    `${where}: needs the npm package ${wanted}, ${about}: npm i -D ${wanted}`,
  );
}

const ALIAS = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** Where the bundler writes a file's path: in a comment of its own, and as the name of a CommonJS module. */
const PATH_LINE = /^(\/\/ | *")([^"\n]+)("\(|$)/gm;

/** The label of a file, whatever name its package goes by here. (A package's own index.js still names variables after it.) */
function withoutAlias(file: string, root: string, npm: NpmPackage): string {
  const label = canonicalLabel(file, root);
  const alias = ALIAS.exec(label)?.[1];
  if (alias === undefined || alias === npm.package) return label;
  const directory = file.slice(0, file.length - (label.length - `node_modules/${alias}`.length));
  return manifestIn(directory)?.name === npm.package ? label.replace(alias, npm.package) : label;
}

/** Replaces paths that lead out of the package (and differ between machines) in comments and module names. */
function relabel(
  source: string,
  inputs: readonly string[],
  root: string,
  npm: NpmPackage | undefined,
): string {
  const labels = new Map<string, string>();
  for (const input of inputs) {
    if (input.includes(':')) continue;
    const file = path.resolve(root, input);
    labels.set(input, npm === undefined ? canonicalLabel(file, root) : withoutAlias(file, root, npm));
  }
  return source.replace(PATH_LINE, (line, before: string, input: string, after: string) => {
    const label = labels.get(input);
    return label === undefined ? line : before + label + after;
  });
}

const EXPORTS = /export\s*\{([^}]*)\};?\s*$/;

/** `export { a as default, b };` at the end of an ES module becomes the function's result. */
function returnExports(source: string): string {
  return source.replace(EXPORTS, (_all, list: string) => {
    const members = list
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map((item) => {
        const [local, exported = local] = item.split(/\s+as\s+/) as [string, string?];
        return `${JSON.stringify(exported)}: ${local}`;
      });
    return `return { ${members.join(', ')} };\n`;
  });
}

function rootsOf(inputs: readonly string[], root: string): Record<string, string> {
  const roots: Record<string, string> = {};
  for (const input of inputs) {
    if (input.includes(':')) continue;
    const file = path.resolve(root, input);
    const owner = packageRoot(path.dirname(file));
    const sealed = canonicalLabel(owner, root);
    roots[`/sealed${sealed === '' ? '' : `/${sealed}`}`] ??= owner;
  }
  return roots;
}
