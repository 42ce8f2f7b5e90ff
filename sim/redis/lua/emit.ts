import type {
  AssignmentStatement,
  Chunk,
  Expression,
  ForGenericStatement,
  ForNumericStatement,
  FunctionDeclaration,
  IfStatement,
  LocalStatement,
  ReturnStatement,
  Statement,
} from 'luaparse';
import { CallEmitter } from './calls.js';
import { LIBRARY } from './library.js';
import { NotCompiled } from './not-compiled.js';
import { survey } from './survey.js';
import { endLine, isCall } from './syntax.js';

/** Counts turns of loops and calls of the script's functions: what it takes, and whether it ever ends. */
const tick = (line: number): string => `if (++ticks > rt.TURN_LIMIT) rt.stopEndlessScript(${line});`;

/** Emits one script as the body of a JavaScript function that returns the compiled script. */
export class Emitter extends CallEmitter {
  script(chunk: Chunk): string {
    this.survey = survey(chunk);
    const body = this.#block(chunk.body);
    const tables = [
      this.survey.vectors.has('KEYS') ? '' : 'const KEYS$ = new LuaTable(args.slice(3, 3 + keyCount));',
      this.survey.vectors.has('ARGV') ? '' : 'const ARGV$ = new LuaTable(args.slice(3 + keyCount));',
    ];
    let statements = [this.#temporaries(), ...tables, body, 'return null;'];
    if (this.survey.repeats)
      statements = ['let ticks = 0; try {', ...statements, '} finally { host.turns = ticks; }'];
    return ['"use strict"; return function script(host, args, keyCount) {', ...statements, '};'].join('\n');
  }

  #temporaries(): string {
    return this.temporaries.length > 0 ? `let ${this.temporaries.join(', ')};` : '';
  }

  #block(statements: readonly Statement[]): string {
    this.scopes.push();
    const lines = statements.map((statement) => this.#statement(statement));
    this.scopes.pop();
    return lines.join('\n');
  }

  #statement(node: Statement): string {
    switch (node.type) {
      case 'LocalStatement':
        return this.#local(node);
      case 'AssignmentStatement':
        return this.#assignment(node);
      case 'CallStatement':
        return `${this.replyCall(node.expression) ?? this.js(node.expression)};`;
      case 'ReturnStatement':
        return this.#return(node);
      case 'IfStatement':
        return this.#if(node);
      case 'WhileStatement':
        return `while (${this.condition(node.condition)}) { ${tick(endLine(node.condition))}\n${this.#block(node.body)} }`;
      case 'RepeatStatement':
        return this.#repeat(node.body, node.condition);
      case 'DoStatement':
        return `{ ${this.#block(node.body)} }`;
      case 'BreakStatement':
        return 'break;';
      case 'ForNumericStatement':
        return this.#numericFor(node);
      case 'ForGenericStatement':
        return this.#genericFor(node);
      case 'FunctionDeclaration':
        return this.#localFunction(node);
      default:
        throw new NotCompiled(node.type);
    }
  }

  #local(node: LocalStatement): string {
    const { variables, init } = node;
    const [variable] = variables;
    if (variables.length === 1 && init.length === 1 && variable !== undefined) {
      const path = this.libraryPath(init[0]!);
      const callable =
        path !== undefined &&
        (path === 'redis.call' || path === 'redis.pcall' || Object.hasOwn(LIBRARY, path));
      if (callable && !this.survey.assigned.has(variable.name)) {
        this.scopes.alias(variable.name, path);
        return '';
      }
      const value = this.js(init[0]!);
      return `let ${this.scopes.declare(variable.name)} = ${value};`;
    }
    const [before, values] = this.#values(init, variables.length);
    const declared = variables.map(
      (each, i) => `${this.scopes.declare(each.name)} = ${values[i] ?? 'undefined'}`,
    );
    return `${before} let ${declared.join(', ')};`;
  }

  /** Evaluates a list into temporaries: statements that do so, and `count` values. */
  #values(nodes: readonly Expression[], count: number): [before: string, values: string[]] {
    const before: string[] = [];
    const values: string[] = [];
    nodes.forEach((node, i) => {
      const temporary = this.temporary();
      if (i === nodes.length - 1 && this.hasSeveral(node)) {
        before.push(`${temporary} = ${this.severalValues(node)};`);
        for (let k = 0; values.length < count; k++) values.push(`${temporary}[${k}]`);
      } else {
        before.push(`${temporary} = ${this.js(node)};`);
        values.push(temporary);
      }
    });
    return [before.join(' '), values];
  }

  #assignment(node: AssignmentStatement): string {
    const { variables, init } = node;
    if (variables.length === 1 && init.length === 1) return this.#assign(variables[0]!, this.js(init[0]!));
    // Lua leaves the order of several assignments undefined; only plain locals are safe from it.
    if (variables.some((each) => each.type !== 'Identifier'))
      throw new NotCompiled('assignment to several places');
    const [before, values] = this.#values(init, variables.length);
    return before + variables.map((each, i) => this.#assign(each, values[i] ?? 'undefined')).join(' ');
  }

  #assign(target: AssignmentStatement['variables'][number], value: string): string {
    if (target.type === 'Identifier') {
      const local = this.scopes.find(target.name);
      if (local === undefined || local.alias) throw new NotCompiled('assignment to a global');
      return `${local.code} = ${value};`;
    }
    if (target.type === 'MemberExpression' && target.indexer === ':') throw new NotCompiled('method');
    const key =
      target.type === 'MemberExpression' ? JSON.stringify(target.identifier.name) : this.js(target.index);
    const line = endLine(target);
    return `rt.setIndex(${this.js(target.base)}, ${key}, ${value}, ${line}, ${this.nameOf(target.base)});`;
  }

  #return(node: ReturnStatement): string {
    const [value] = node.arguments;
    if (this.scopes.depth > 0) {
      if (node.arguments.length > 1) throw new NotCompiled('several results');
      if (value === undefined) return 'return undefined;';
      // Lua's tail calls take no stack; JavaScript's would.
      if (isCall(value) && this.libraryPath(value.base) === undefined) throw new NotCompiled('tail call');
      if (this.hasSeveral(value)) throw new NotCompiled('several results');
      return `return ${this.js(value)};`;
    }
    if (value === undefined) return 'return null;';
    if (node.arguments.length > 1) throw new NotCompiled('several results');
    const reply = this.replyCall(value);
    if (reply !== undefined) return `return ${reply};`;
    if (value.type === 'StringLiteral') return `return ${JSON.stringify(value.value)};`;
    const protocol = this.survey.setsProtocol ? ', host.protocol' : '';
    return `return luaToReply(${this.js(value)}${protocol});`;
  }

  #if(node: IfStatement): string {
    return node.clauses
      .map((clause) => {
        const body = `{ ${this.#block(clause.body)} }`;
        if (clause.type === 'ElseClause') return `else ${body}`;
        return `${clause.type === 'IfClause' ? '' : 'else '}if (${this.condition(clause.condition)}) ${body}`;
      })
      .join(' ');
  }

  /** The condition sees the locals of the body. */
  #repeat(body: readonly Statement[], condition: Expression): string {
    // A `break` or `return` must end its block in Lua, and code may not follow it in JavaScript's either.
    this.scopes.push();
    const lines = body.map((statement) => this.#statement(statement));
    const until = this.condition(condition);
    this.scopes.pop();
    return `for (;;) { ${tick(endLine(condition))}\n${lines.join('\n')}\nif (${until}) break; }`;
  }

  #numericFor(node: ForNumericStatement): string {
    const line = node.loc?.start.line ?? 1;
    const [i, limit, step] = [this.scopes.temporary(), this.scopes.temporary(), this.scopes.temporary()];
    const bound = (value: Expression, which: string) => {
      const { js, type } = this.expression(value);
      return type === 'number' ? js : `rt.loopNumber(${js}, ${line}, '${which}')`;
    };
    const start = bound(node.start, 'initial');
    const end = bound(node.end, 'limit');
    const by = node.step === null ? '1' : bound(node.step, 'step');
    this.scopes.push();
    const variable = this.scopes.declare(node.variable.name);
    const body = this.#block(node.body);
    this.scopes.pop();
    const goesOn =
      node.step === null ? `${i} <= ${limit}` : `(${step} > 0 ? ${i} <= ${limit} : ${i} >= ${limit})`;
    return (
      `for (let ${i} = ${start}, ${limit} = ${end}, ${step} = ${by}; ${goesOn}; ${i} += ${step}) ` +
      `{ ${tick(line)} let ${variable} = ${i};\n${body} }`
    );
  }

  #genericFor(node: ForGenericStatement): string {
    const [iterator] = node.iterators;
    if (node.iterators.length !== 1 || iterator === undefined || !isCall(iterator))
      throw new NotCompiled('iterator');
    const path = this.libraryPath(iterator.base);
    if (path !== 'ipairs' && path !== 'pairs') throw new NotCompiled('iterator');
    const line = node.loc?.start.line ?? 1;
    const [table, key, value] = [this.scopes.temporary(), this.scopes.temporary(), this.scopes.temporary()];
    const checked = `lib.iterated(${[endLine(iterator.base), `'${path}'`, ...this.args(iterator)].join(', ')})`;
    this.scopes.push();
    const declared = node.variables.map((each, i) => {
      return `${this.scopes.declare(each.name)} = ${[key, value][i] ?? 'undefined'}`;
    });
    const body = this.#block(node.body);
    this.scopes.pop();
    const head =
      path === 'ipairs'
        ? `for (let ${key} = 1; ; ${key}++) { const ${value} = ${table}.get(${key}); if (${value} === undefined) break;`
        : `for (const ${key} of ${table}.keys()) { const ${value} = ${table}.get(${key}); if (${value} === undefined) continue;`;
    return `{ const ${table} = ${checked}; ${head} ${tick(line)} let ${declared.join(', ')};\n${body} } }`;
  }

  #localFunction(node: FunctionDeclaration): string {
    if (!node.isLocal || node.identifier?.type !== 'Identifier') throw new NotCompiled('global function');
    const name = this.scopes.declare(node.identifier.name);
    return `let ${name} = ${this.functionCode(node)};`;
  }

  protected functionCode(node: FunctionDeclaration): string {
    const outer = this.temporaries;
    this.temporaries = [];
    this.scopes.depth++;
    this.scopes.push();
    const parameters = node.parameters.map((each) => {
      if (each.type !== 'Identifier') throw new NotCompiled('varargs');
      return this.scopes.declare(each.name);
    });
    const body = this.#block(node.body);
    this.scopes.pop();
    this.scopes.depth--;
    const temporaries = this.#temporaries();
    this.temporaries = outer;
    return `function (${parameters.join(', ')}) { ${tick(node.loc?.start.line ?? 1)} ${temporaries}\n${body} }`;
  }
}
