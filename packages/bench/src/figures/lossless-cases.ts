/** Argument values as JSON text. */
export const ARGUMENTS: readonly string[] = [
  '9007199254740993',
  '12345678901234567890',
  '-9223372036854775808',
  '1.0',
  '1E2',
  '-0',
  '1e400',
  '0.1000000000000000055',
  '{"a":1,"a":2}',
  '{"b":1,"a":2,"10":3,"9":4}',
  '{"__proto__":{"a":1}}',
  '"\\ud800"',
  '"\\u00e9 \\/ é"',
  '[ 1,  2 ]',
];

export interface AnswerCase {
  readonly name: string;
  /** ID stands for the id of the call. */
  readonly answer: string;
  /** Text that has to be seen by whoever looks. */
  readonly matters: string;
}

function structured(name: string, value: string): AnswerCase {
  const result = `{"content":[],"structuredContent":{"v":${value}}}`;
  return {
    name,
    answer: `{"jsonrpc":"2.0","id":ID,"result":${result}}\n`,
    matters: value,
  };
}

export const ANSWERS: readonly AnswerCase[] = [
  structured('2^53+1', '9007199254740993'),
  structured('20 digits', '12345678901234567890'),
  structured('the least 64-bit integer', '-9223372036854775808'),
  structured('a point without need', '1.0'),
  structured('an exponent', '1E2'),
  structured('minus zero', '-0'),
  structured('past the range', '1e400'),
  structured('more digits than a double', '0.1000000000000000055'),
  structured('a key twice', '{"a":1,"a":2}'),
  structured('order of keys', '{"b":1,"a":2,"10":3,"9":4}'),
  structured('a lone surrogate', '"\\ud800"'),
  structured('escapes', '"\\u00e9 \\/ é"'),
  structured('NaN', 'NaN'),
  {
    name: 'over several lines',
    answer: '{\n  "jsonrpc": "2.0",\n  "id": ID,\n  "result": {"content": []}\n}\n',
    matters: '"jsonrpc": "2.0"',
  },
  {
    name: 'in a batch',
    answer: '[{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}]\n',
    matters: '[{"jsonrpc"',
  },
  {
    name: 'its id as text',
    answer: '{"jsonrpc":"2.0","id":"ID","result":{"content":[]}}\n',
    matters: '"id":"',
  },
  {
    name: 'result and error',
    answer: '{"jsonrpc":"2.0","id":ID,"result":{},"error":{"code":1,"message":"x"}}\n',
    matters: '"error"',
  },
  {
    name: 'a member that JSON-RPC does not know',
    answer: '{"jsonrpc":"2.0","id":ID,"result":{"content":[]},"shelf":"A-7"}\n',
    matters: '"shelf":"A-7"',
  },
  {
    name: 'without content',
    answer: '{"jsonrpc":"2.0","id":ID,"result":{"shelf":"A-7"}}\n',
    matters: '"result":{"shelf":"A-7"}',
  },
  {
    name: 'content of a type nobody knows',
    answer: '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"smell","of":"tar"}]}}\n',
    matters: '"smell"',
  },
  {
    name: 'a log line before it',
    answer: 'counting boxes\n{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}\n',
    matters: 'counting boxes',
  },
];
