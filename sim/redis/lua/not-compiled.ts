/** Thrown by the compiler for what it leaves to the interpreter. */
export class NotCompiled extends Error {}
