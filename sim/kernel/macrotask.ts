/** Runs `run` in a macrotask of its own: the synchronous drain does nothing inside a microtask. Node only. */
export function inMacrotask<T>(run: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(run());
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}
