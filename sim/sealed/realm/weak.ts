/** Collection is not deterministic: a weak reference never clears, a registry never calls back. */

export class StrongRef<T extends WeakKey> {
  readonly #target: T;

  constructor(target: T) {
    if ((typeof target !== 'object' && typeof target !== 'function') || target === null) {
      if (typeof target !== 'symbol') throw new TypeError('WeakRef: target must be an object');
    }
    this.#target = target;
  }

  deref(): T {
    return this.#target;
  }

  get [Symbol.toStringTag](): string {
    return 'WeakRef';
  }
}

export class SilentRegistry {
  constructor(cleanup: unknown) {
    if (typeof cleanup !== 'function') throw new TypeError('FinalizationRegistry: cleanup must be callable');
  }

  register(): void {}

  unregister(): boolean {
    return false;
  }

  get [Symbol.toStringTag](): string {
    return 'FinalizationRegistry';
  }
}

Object.defineProperty(StrongRef, 'name', { value: 'WeakRef' });
Object.defineProperty(SilentRegistry, 'name', { value: 'FinalizationRegistry' });
