import type { Chunk, Node } from 'luaparse';

/** What must be known of a whole script before its first line is compiled. */
export interface Survey {
  /** Names that are assigned to somewhere, other than where they are declared. */
  readonly assigned: ReadonlySet<string>;
  /** `KEYS` or `ARGV`, where they are only indexed and counted: then no table has to be built. */
  readonly vectors: ReadonlySet<string>;
  /** It has loops or functions. */
  readonly repeats: boolean;
  /** It may call `redis.setresp`. */
  readonly setsProtocol: boolean;
}

const REPEATING = new Set([
  'WhileStatement',
  'RepeatStatement',
  'ForNumericStatement',
  'ForGenericStatement',
  'FunctionDeclaration',
]);

export function survey(chunk: Chunk): Survey {
  const assigned = new Set<string>();
  const named: Record<string, number> = { KEYS: 0, ARGV: 0 };
  const harmless: Record<string, number> = { KEYS: 0, ARGV: 0 };
  const count = (node: Node, counts: Record<string, number>, by: number) => {
    if (node.type === 'Identifier' && Object.hasOwn(counts, node.name)) counts[node.name]! += by;
  };
  let repeats = false;
  let setsProtocol = false;
  walk(chunk, (node) => {
    count(node, named, 1);
    if (REPEATING.has(node.type)) repeats = true;
    if (node.type === 'Identifier' && node.name === 'setresp') setsProtocol = true;
    switch (node.type) {
      case 'IndexExpression':
        count(node.base, harmless, 1);
        break;
      case 'UnaryExpression':
        if (node.operator === '#') count(node.argument, harmless, 1);
        break;
      case 'AssignmentStatement':
        for (const target of node.variables) {
          if (target.type === 'Identifier') assigned.add(target.name);
          if (target.type === 'IndexExpression') count(target.base, harmless, -1);
        }
        break;
      case 'FunctionDeclaration':
        if (!node.isLocal && node.identifier?.type === 'Identifier') assigned.add(node.identifier.name);
        break;
    }
  });
  const vectors = new Set(['KEYS', 'ARGV'].filter((name) => named[name] === harmless[name]));
  return { assigned, vectors, repeats, setsProtocol };
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit);
  } else if (typeof value === 'object' && value !== null && 'type' in value) {
    visit(value as Node);
    for (const child of Object.values(value)) if (typeof child === 'object') walk(child, visit);
  }
}
