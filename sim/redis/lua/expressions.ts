import type {
  BinaryExpression,
  Expression,
  FunctionDeclaration,
  IndexExpression,
  LogicalExpression,
  MemberExpression,
  TableConstructorExpression,
  UnaryExpression,
} from 'luaparse';
import { SEVERAL } from './library.js';
import { NotCompiled } from './not-compiled.js';
import { Scopes } from './scope.js';
import type { Survey } from './survey.js';
import {
  any,
  ARITHMETIC,
  bool,
  CONSTANTS,
  endLine,
  fieldOf,
  foldsAway,
  GLOBAL_TABLES,
  isCall,
  number,
  STRING_FIELDS,
  text,
  type Call,
  type Code,
} from './syntax.js';

/** Emits expressions. What it does not know it leaves to the interpreter by throwing NotCompiled. */
export abstract class ExpressionEmitter {
  protected readonly scopes = new Scopes();
  protected survey!: Survey;
  /** Temporaries of the function being emitted. */
  protected temporaries: string[] = [];

  protected abstract functionCode(node: FunctionDeclaration): string;
  protected abstract call(node: Call): Code;
  /** The arguments of a call, each as JavaScript; a call with several results at the end spreads. */
  protected abstract args(node: Call): string[];

  expression(node: Expression): Code {
    switch (node.type) {
      case 'Identifier':
        return this.#identifier(node.name);
      case 'StringLiteral':
        return { js: text(node.value), type: 'string' };
      case 'NumericLiteral':
        return number(Number.isFinite(node.value) ? `${node.value}` : 'Infinity');
      case 'BooleanLiteral':
        return bool(String(node.value));
      case 'NilLiteral':
        return any('undefined');
      case 'TableConstructorExpression':
        return any(this.#table(node));
      case 'BinaryExpression':
        return this.#binary(node);
      case 'LogicalExpression':
        return this.#logical(node);
      case 'UnaryExpression':
        return this.#unary(node);
      case 'MemberExpression':
      case 'IndexExpression':
        return this.#indexed(node);
      case 'CallExpression':
      case 'TableCallExpression':
      case 'StringCallExpression':
        return this.call(node);
      case 'FunctionDeclaration':
        return any(this.functionCode(node));
      default:
        throw new NotCompiled(node.type);
    }
  }

  js(node: Expression): string {
    return this.expression(node).js;
  }

  /** JavaScript that is true where the expression is neither nil nor false. */
  condition(node: Expression): string {
    if (node.type === 'LogicalExpression') {
      return `(${this.condition(node.left)} ${node.operator === 'and' ? '&&' : '||'} ${this.condition(node.right)})`;
    }
    if (node.type === 'UnaryExpression' && node.operator === 'not')
      return `!${this.condition(node.argument)}`;
    const { js, type } = this.expression(node);
    if (type === 'boolean') return js;
    if (type !== 'any') return `(${js}, true)`;
    const temporary = this.temporary();
    return `((${temporary} = ${js}) !== undefined && ${temporary} !== false)`;
  }

  protected temporary(): string {
    const name = this.scopes.temporary();
    this.temporaries.push(name);
    return name;
  }

  /** Lua's name of an operand in error messages, as a JavaScript literal. */
  protected nameOf(node: Expression): string {
    switch (node.type) {
      case 'Identifier': {
        const local = this.scopes.find(node.name);
        if (local === undefined) return text(`global '${node.name}'`);
        return text(`${local.depth === this.scopes.depth ? 'local' : 'upvalue'} '${node.name}'`);
      }
      case 'MemberExpression':
        return text(`${node.indexer === ':' ? 'method' : 'field'} '${node.identifier.name}'`);
      case 'IndexExpression':
        return text(node.index.type === 'StringLiteral' ? `field '${node.index.value}'` : "field '?'");
      case 'LogicalExpression':
        // Lua folds a left side that is constant; what remains is the right one.
        return foldsAway(node) ? this.nameOf(node.right) : "''";
      default:
        return "''";
    }
  }

  /** The dotted name of a library function or constant, where the expression is one. */
  protected libraryPath(node: Expression): string | undefined {
    if (node.type === 'Identifier') {
      const local = this.scopes.find(node.name);
      return local === undefined ? node.name : local.alias ? local.code : undefined;
    }
    if (node.type !== 'MemberExpression' || node.indexer !== '.' || node.base.type !== 'Identifier')
      return undefined;
    const { name } = node.base;
    if (this.scopes.find(name) !== undefined || !GLOBAL_TABLES.has(name)) return undefined;
    return `${name}.${node.identifier.name}`;
  }

  #identifier(name: string): Code {
    const local = this.scopes.find(name);
    if (local !== undefined && !local.alias) return any(local.code);
    if (local === undefined && (name === 'KEYS' || name === 'ARGV')) return any(`${name}$`);
    throw new NotCompiled(`global ${name}`);
  }

  /** `KEYS` or `ARGV` where it needs no table. */
  #vector(node: Expression): string | undefined {
    if (node.type !== 'Identifier' || !this.survey.vectors.has(node.name)) return undefined;
    return this.scopes.find(node.name) === undefined ? node.name : undefined;
  }

  #indexed(node: MemberExpression | IndexExpression): Code {
    const path = this.libraryPath(node);
    if (path === 'cjson.null') return any('lib.NULL_POINTER');
    if (path !== undefined) {
      const constant = CONSTANTS[path];
      if (constant === undefined) throw new NotCompiled(path);
      return number(String(constant));
    }
    if (node.type === 'IndexExpression') {
      const vector = this.#vector(node.base);
      if (vector !== undefined) return any(this.#element(vector, node.index));
    } else if (node.indexer === ':') {
      throw new NotCompiled('method outside a call');
    }
    const field = fieldOf(node);
    if (field !== undefined && STRING_FIELDS.has(field)) throw new NotCompiled(`field ${field}`);
    const key = node.type === 'IndexExpression' ? this.js(node.index) : text(node.identifier.name);
    return any(`rt.index(${this.js(node.base)}, ${key}, ${endLine(node)}, ${this.nameOf(node.base)})`);
  }

  #element(vector: string, index: Expression): string {
    const before = vector === 'KEYS' ? '2' : '2 + keyCount';
    if (index.type === 'NumericLiteral' && Number.isInteger(index.value) && index.value >= 1) {
      if (vector === 'KEYS') return `(keyCount >= ${index.value} ? args[${2 + index.value}] : undefined)`;
      return `args[${2 + index.value} + keyCount]`;
    }
    const size = vector === 'KEYS' ? 'keyCount' : 'args.length - 3 - keyCount';
    return `rt.element(args, ${before}, ${size}, ${this.js(index)})`;
  }

  #table(node: TableConstructorExpression): string {
    const { fields } = node;
    if (fields.every((field) => field.type === 'TableValue')) {
      const items = fields.map((field, i) =>
        i === fields.length - 1 ? this.lastValue(field.value) : this.js(field.value),
      );
      return `new LuaTable([${items.join(', ')}])`;
    }
    const last = fields.at(-1);
    if (last?.type === 'TableValue' && this.hasSeveral(last.value))
      throw new NotCompiled('several values beside fields');
    const pairs = fields.map((field) => {
      const key =
        field.type === 'TableValue'
          ? 'rt.ITEM'
          : field.type === 'TableKeyString'
            ? text(field.key.name)
            : this.js(field.key);
      return `${key}, ${this.js(field.value)}`;
    });
    return `rt.record([${pairs.join(', ')}], ${endLine(node)})`;
  }

  /** The last value of a list: a call with several results there means all of them. */
  protected lastValue(node: Expression): string {
    return this.hasSeveral(node) ? `...${this.severalValues(node)}` : this.js(node);
  }

  /** True for calls of library functions with several results. */
  protected hasSeveral(node: Expression): node is Call {
    if (!isCall(node)) return false;
    const path = this.libraryPath(node.base);
    return path !== undefined && Object.hasOwn(SEVERAL, path);
  }

  /** All results of such a call, as a JavaScript array. */
  protected severalValues(node: Call): string {
    const path = this.libraryPath(node.base)!;
    return `lib.SEVERAL[${text(path)}](${[endLine(node.base), ...this.args(node)].join(', ')})`;
  }

  #binary(node: BinaryExpression): Code {
    const { operator } = node;
    const arithmetic = ARITHMETIC[operator];
    const left = this.expression(node.left);
    const right = this.expression(node.right);
    const line = endLine(node);
    if (arithmetic !== undefined) {
      const [helper, plain] = arithmetic;
      if (plain !== null && left.type === 'number' && right.type === 'number') {
        return number(`(${left.js} ${plain} ${right.js})`);
      }
      return number(
        `rt.${helper}(${left.js}, ${right.js}, ${line}, ${this.nameOf(node.left)}, ${this.nameOf(node.right)})`,
      );
    }
    switch (operator) {
      case '==':
        return bool(`(${left.js} === ${right.js})`);
      case '~=':
        return bool(`(${left.js} !== ${right.js})`);
      case '..':
        return {
          js: `rt.concat(${left.js}, ${right.js}, ${line}, ${this.nameOf(node.left)}, ${this.nameOf(node.right)})`,
          type: 'string',
        };
      case '<':
        return bool(`rt.less(${left.js}, ${right.js}, ${line})`);
      case '<=':
        return bool(`rt.lessOrEqual(${left.js}, ${right.js}, ${line})`);
      case '>':
        return this.#swapped('less', left, right, line);
      case '>=':
        return this.#swapped('lessOrEqual', left, right, line);
      default:
        throw new NotCompiled(operator);
    }
  }

  /** `a > b` is `b < a`, with `a` evaluated first. */
  #swapped(helper: string, left: Code, right: Code, line: number): Code {
    const temporary = this.temporary();
    return bool(`(${temporary} = ${left.js}, rt.${helper}(${right.js}, ${temporary}, ${line}))`);
  }

  #logical(node: LogicalExpression): Code {
    const left = this.expression(node.left);
    const right = this.expression(node.right);
    if (left.type === 'boolean') {
      const js = `(${left.js} ${node.operator === 'and' ? '&&' : '||'} ${right.js})`;
      return { js, type: right.type === 'boolean' ? 'boolean' : 'any' };
    }
    const temporary = this.temporary();
    const truthy = `(${temporary} = ${left.js}) !== undefined && ${temporary} !== false`;
    return any(
      node.operator === 'and'
        ? `(${truthy} ? ${right.js} : ${temporary})`
        : `(${truthy} ? ${temporary} : ${right.js})`,
    );
  }

  #unary(node: UnaryExpression): Code {
    switch (node.operator) {
      case 'not':
        return bool(`!${this.condition(node.argument)}`);
      case '-': {
        const operand = this.expression(node.argument);
        if (operand.type === 'number') return number(`(-${operand.js})`);
        return number(`rt.negate(${operand.js}, ${endLine(node)}, ${this.nameOf(node.argument)})`);
      }
      case '#': {
        const vector = this.#vector(node.argument);
        if (vector !== undefined)
          return number(vector === 'KEYS' ? 'keyCount' : '(args.length - 3 - keyCount)');
        return number(
          `rt.lengthOf(${this.js(node.argument)}, ${endLine(node)}, ${this.nameOf(node.argument)})`,
        );
      }
      default:
        throw new NotCompiled(node.operator);
    }
  }
}
