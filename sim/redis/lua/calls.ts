import type { Expression } from 'luaparse';
import { ExpressionEmitter } from './expressions.js';
import { HOSTED, LIBRARY, SEVERAL } from './library.js';
import { NotCompiled } from './not-compiled.js';
import { any, endLine, isCall, text, type Call, type Code } from './syntax.js';

/** Emits calls: of `redis.call` and its kin, of library functions, of methods and of the script's own functions. */
export abstract class CallEmitter extends ExpressionEmitter {
  /** The arguments of a call, each as JavaScript; a call with several results at the end spreads. */
  protected args(node: Call): string[] {
    const nodes =
      node.type === 'CallExpression'
        ? node.arguments
        : [node.type === 'StringCallExpression' ? node.argument : node.arguments];
    return nodes.map((each, i) => (i === nodes.length - 1 ? this.lastValue(each) : this.js(each)));
  }

  /** The call of `redis.call` as a reply for the client, or undefined: it is another call. */
  protected replyCall(node: Expression): string | undefined {
    if (!isCall(node) || this.libraryPath(node.base) !== 'redis.call') return undefined;
    return `rt.callForReply(host, [${this.args(node).join(', ')}], ${endLine(node.base)})`;
  }

  protected call(node: Call): Code {
    const line = endLine(node.base);
    const path = this.libraryPath(node.base);
    if (path === 'redis.call' || path === 'redis.pcall') {
      const helper = path === 'redis.call' ? 'call' : 'protectedCall';
      return any(`rt.${helper}(host, [${this.args(node).join(', ')}], ${line})`);
    }
    if (path !== undefined) {
      if (Object.hasOwn(HOSTED, path))
        return any(`lib.HOSTED[${text(path)}](${['host', line, ...this.args(node)].join(', ')})`);
      if (Object.hasOwn(SEVERAL, path)) return any(`${this.severalValues(node)}[0]`);
      if (!Object.hasOwn(LIBRARY, path)) throw new NotCompiled(path);
      return any(`lib.LIBRARY[${text(path)}](${[line, ...this.args(node)].join(', ')})`);
    }
    const args = this.args(node);
    if (node.base.type === 'MemberExpression' && node.base.indexer === ':') {
      const method = node.base.identifier.name;
      if (!Object.hasOwn(LIBRARY, `string.${method}`)) throw new NotCompiled(`method ${method}`);
      const name = this.nameOf(node.base.base);
      return any(
        `lib.callMethod(${[this.js(node.base.base), text(method), line, name, ...args].join(', ')})`,
      );
    }
    return any(
      `rt.callFunction(${this.js(node.base)}, [${args.join(', ')}], ${line}, ${this.nameOf(node.base)})`,
    );
  }
}
