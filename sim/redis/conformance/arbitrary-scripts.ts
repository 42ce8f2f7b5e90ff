import fc, { type Arbitrary } from 'fast-check';

/** Names that generated scripts declare first; `u` stays nil, so that errors come up. */
const HEAD = 'local a, b, u, t = 3, ARGV[1], nil, {1, "two", x = 5}\n';

const leaf: Arbitrary<string> = fc.constantFrom(
  ...[
    'a',
    'b',
    'u',
    't',
    't[1]',
    't.x',
    't.y',
    't[2]',
    'KEYS[1]',
    'ARGV[2]',
    'KEYS[3]',
    '#KEYS',
    '#t',
    'nil',
    'true',
    'false',
  ],
  ...['0', '1', '2.5', '-3', '"5"', '"x"', '""', '"10"', '{}', '{7, 8}'],
);

interface Grammar {
  expression: string;
  statement: string;
  block: string;
}

const { expression, block } = fc.letrec<Grammar>((tie) => {
  const sub = tie('expression');
  const binary = fc
    .tuple(
      sub,
      fc.constantFrom('+', '-', '*', '/', '%', '..', '==', '~=', '<', '<=', '>', '>=', 'and', 'or'),
      sub,
    )
    .map(([left, operator, right]) => `(${left} ${operator} ${right})`);
  const unary = fc
    .tuple(fc.constantFrom('not ', '- ', '#'), sub)
    .map(([operator, operand]) => `(${operator}${operand})`);
  const call = fc
    .tuple(fc.constantFrom('tonumber', 'tostring', 'type', 'redis.error_reply'), sub)
    .filter(([name, argument]) => name !== 'tostring' || !/[t{]|redis/.test(argument as string))
    .map(([name, argument]) => `${name}(${argument})`);
  const command = fc
    .tuple(
      fc.constantFrom('redis.call', 'redis.pcall'),
      fc.constantFrom(
        '"get", ',
        '"incr", ',
        '"exists", ',
        '"del", ',
        '"set", "k", ',
        '"incrby", "n", ',
        '"type", ',
      ),
      sub,
    )
    .map(([how, name, argument]) => `${how}(${name}${argument})`);
  const simple = fc
    .tuple(
      fc.constantFrom(
        'a = ',
        'b = ',
        'u = ',
        't[1] = ',
        't.y = ',
        't[#t + 1] = ',
        'local a = ',
        'local _ = ',
      ),
      sub,
    )
    .map(([target, value]) => target + value);
  return {
    expression: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf,
      binary,
      unary,
      call,
      command,
    ) as Arbitrary<string>,
    statement: fc.oneof(
      { maxDepth: 2 },
      simple,
      command,
      fc
        .tuple(sub, tie('block'), tie('block'))
        .map(([test, yes, no]) => `if ${test} then\n${yes}\nelse\n${no}\nend`),
      fc
        .tuple(sub, tie('block'))
        .map(([limit, body]) => `for i = 1, math.min(3, tonumber(${limit}) or 2) do\n${body}\nend`),
      tie('block').map((body) => `for i, v in ipairs(t) do\n${body}\nif i > 3 then break end\nend`),
    ) as Arbitrary<string>,
    block: fc.array(tie('statement'), { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
  };
});

/** Scripts of what lock scripts are made of; many of them fail, which is as much compared. */
export const scriptArbitrary: Arbitrary<string> = fc
  .tuple(block, fc.array(expression, { minLength: 1, maxLength: 3 }))
  .map(([body, results]) => `${HEAD}${body}\nreturn {${results.join(', ')}}`);
