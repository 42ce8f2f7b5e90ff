/** Adds a member that is made when it is first read: most programs never ask for most names. */
export function lazily(target: object, name: string, make: () => unknown): void {
  const settle = (value: unknown): void => {
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true });
  };
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: true,
    get() {
      const value = make();
      settle(value);
      return value;
    },
    set: settle,
  });
}
