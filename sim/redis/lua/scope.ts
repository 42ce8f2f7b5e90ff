import { NotCompiled } from './not-compiled.js';

export interface Local {
  /** Its JavaScript name, or the dotted library path it stands for (`local call = redis.call`). */
  readonly code: string;
  readonly alias: boolean;
  /** Depth of the function that declared it: seen from a deeper one it is an upvalue. */
  readonly depth: number;
}

/** Lexical scopes of locals while a script is compiled. */
export class Scopes {
  readonly #scopes: Map<string, Local>[] = [new Map()];
  #serial = 0;
  depth = 0;

  push(): void {
    this.#scopes.push(new Map());
  }

  pop(): void {
    this.#scopes.pop();
  }

  find(name: string): Local | undefined {
    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const local = this.#scopes[i]!.get(name);
      if (local !== undefined) return local;
    }
    return undefined;
  }

  /** A new local; it hides an older one of its name. */
  declare(name: string): string {
    const code = `${name}$${++this.#serial}`;
    this.#scopes.at(-1)!.set(name, { code, alias: false, depth: this.depth });
    // Lua's own limit, and with it the error message, is the interpreter's business.
    if (this.#serial > 150) throw new NotCompiled('too many locals');
    return code;
  }

  alias(name: string, path: string): void {
    this.#scopes.at(-1)!.set(name, { code: path, alias: true, depth: this.depth });
  }

  temporary(): string {
    return `t$${++this.#serial}`;
  }
}
