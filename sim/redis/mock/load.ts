/** Bundles ioredis-mock for the seal. Node only. */
import { bundleLock, type LockBundle } from '../../sealed/bundle.js';
import { LockModuleError } from '../../sealed/errors.js';
import { shippedFile } from '../../sealed/shipped.js';

/** The version whose differences from Redis are known. */
const VERSION = '8.13.1';

/** Its Lua interpreter loads a console for debugging, which asks for Node's own terminal. */
const NO_CONSOLE = 'exports.setDefaultOptions = () => {}; exports.prompt = () => "cont";';

/**
 * The library as it is installed for the user, with all it needs.
 * @param from the directory whose node_modules come first
 * @throws LockModuleError if it is not installed, or in another version
 */
export async function bundleMock(from: string = process.cwd()): Promise<LockBundle> {
  try {
    return await bundleLock(shippedFile('sim/redis/mock/program.ts'), {
      from,
      npm: { package: 'ioredis-mock', version: VERSION },
      standIns: { 'readline-sync': NO_CONSOLE },
    });
  } catch (error) {
    if (!(error instanceof LockModuleError) || error.code !== 'missing-package') throw error;
    const reason = error.message.replace(/^.*?: needs/, 'needs');
    throw new LockModuleError('missing-package', `the engine ioredis-mock ${reason}`, { cause: error });
  }
}
