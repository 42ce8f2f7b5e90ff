/**
 * What the seal loads for the engine `ioredis-mock`: the package as it is. The seal loads lock modules, so this is one in
 * form; its `connect` gives the class. Node resolves the package from the user's directory first.
 */
import RedisMock from 'ioredis-mock';

export default { name: 'ioredis-mock', servers: 1, connect: () => RedisMock };
