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

/** Without tables of several named fields (their order is open) and without NaN (JavaScript's has no sign). */
const isPlain = (text: string): boolean => !/\bt\b|pcall|[/%]/.test(text);

const json = fc.constantFrom(
  ...[
    '[1,2,{"a":null}]',
    '{"b":[true,"x"]}',
    ' 12 ',
    '"\\\\u00e9\\\\n"',
    'nul',
    '[1,',
    '{"a" 1}',
    '-0.5e2',
    '',
    '"\\\\q"',
  ],
);
const packed = fc.constantFrom(
  ...[
    '\\1\\2\\163abc',
    '\\147\\1\\194\\161x',
    '\\129\\161a\\7',
    '\\202\\63\\192\\0\\0',
    '\\205\\1',
    '\\193',
    '',
  ],
);
const format = fc.constantFrom(
  'b',
  '>I2',
  '<i3',
  'd',
  's',
  'c0',
  'bc0',
  'x',
  '!4bi',
  '>f',
  'z',
  'i33',
  '!3b',
  'L',
  '',
);

/** Calls of the libraries that Redis adds, on what `value` yields. */
function libraryCalls(value: Arbitrary<string>): Arbitrary<string> {
  const plain = value.filter(isPlain);
  const bits = ['band', 'bor', 'bxor', 'lshift', 'rshift', 'arshift', 'rol', 'ror', 'tohex'];
  return fc.oneof(
    plain.map((argument) => `cjson.encode(${argument})`),
    json.map((text) => `cjson.decode('${text}')`),
    plain.map((argument) => `cjson.decode(cjson.encode({${argument}}))`),
    fc.tuple(plain, plain).map(([a, b]) => `cmsgpack.pack(${a}, ${b})`),
    plain.map((argument) => `cmsgpack.unpack(cmsgpack.pack(${argument}))`),
    packed.map((text) => `cmsgpack.unpack("${text}")`),
    fc
      .tuple(fc.constantFrom('unpack_one', 'unpack_limit'), packed, fc.constantFrom('0', '1', '2', '-1'))
      .map(([name, text, number]) => `cmsgpack.${name}("${text}", ${number})`),
    fc.tuple(fc.constantFrom(...bits), plain, plain).map(([name, a, b]) => `bit.${name}(${a}, ${b})`),
    fc.tuple(fc.constantFrom('tobit', 'bnot', 'bswap'), plain).map(([name, a]) => `bit.${name}(${a})`),
    fc.tuple(format, plain).map(([text, argument]) => `struct.pack("${text}", ${argument})`),
    fc.tuple(format, packed).map(([text, bytes]) => `struct.unpack("${text}", "${bytes}")`),
    format.map((text) => `struct.size("${text}")`),
    plain.map((argument) => `redis.sha1hex(${argument})`),
  );
}

/** Statements of these parts; `inner` are blocks. */
function statements(
  sub: Arbitrary<string>,
  command: Arbitrary<string>,
  inner: Arbitrary<string>,
): Arbitrary<string> {
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
  return fc.oneof(
    { maxDepth: 2 },
    simple,
    command,
    fc.tuple(sub, inner, inner).map(([test, yes, no]) => `if ${test} then\n${yes}\nelse\n${no}\nend`),
    fc
      .tuple(sub, inner)
      .map(([limit, body]) => `for i = 1, math.min(3, tonumber(${limit}) or 2) do\n${body}\nend`),
    inner.map((body) => `for i, v in ipairs(t) do\n${body}\nif i > 3 then break end\nend`),
  );
}

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
  return {
    expression: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf,
      binary,
      unary,
      call,
      command,
      libraryCalls(sub as Arbitrary<string>),
    ) as Arbitrary<string>,
    statement: statements(sub as Arbitrary<string>, command, tie('block') as Arbitrary<string>),
    block: fc.array(tie('statement'), { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
  };
});

/** Scripts of what lock scripts are made of; many of them fail, which is as much compared. */
export const scriptArbitrary: Arbitrary<string> = fc
  .tuple(block, fc.array(expression, { minLength: 1, maxLength: 3 }))
  .map(([body, results]) => `${HEAD}${body}\nreturn {${results.join(', ')}}`);
