import { lossesInJavaScript, ownRevision } from './sdk-losses.ts';
import { commentLines, sourceLiteral } from './shell-quote.ts';
import type { CheckedCall, TakeAway } from './take-away.ts';

/** A test for `node --test` with the official SDK of TypeScript. */
export function nodeTest(call: CheckedCall): TakeAway {
  const { address, tool, argumentsText, document } = call;
  const literal = (text: string) => sourceLiteral(text, 'javascript');
  const notes = [...call.notes, ...ownRevision(call), ...lossesInJavaScript(document)];
  const { headers, environment } = call.needed;
  const isStdio = address.transport === 'stdio';
  const [name, path] = isStdio
    ? ['StdioClientTransport', 'client/stdio.js']
    : address.transport === 'sse'
      ? ['SSEClientTransport', 'client/sse.js']
      : ['StreamableHTTPClientTransport', 'client/streamableHttp.js'];
  const variables = environment.map(
    ({ name, placeholder }) =>
      `    ${literal(name)}: process.env[${literal(name)}] ?? ${literal(placeholder)},\n`,
  );
  const lines = headers.map(
    ({ name, placeholder }) => `    ${literal(name)}: ${literal(placeholder)},\n`,
  );
  const made = isStdio
    ? `{
  command: ${literal(address.command)},
  args: [${address.args.map(literal).join(', ')}],${address.cwd === null ? '' : `\n  cwd: ${literal(address.cwd)},`}${variables.length === 0 ? '' : `\n  env: {\n${variables.join('')}  },`}
}`
    : `new URL(${literal(address.url)})${lines.length === 0 ? '' : `, {\n  requestInit: { headers: {\n${lines.join('')}  } },\n}`}`;
  const text = `${commentLines('//', [
    'npm install @modelcontextprotocol/sdk@1 && node --test call.test.mjs',
    ...notes,
  ])}import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ${name} } from '@modelcontextprotocol/sdk/${path}';

const tool = ${literal(tool)};
const argumentsText =
  ${literal(argumentsText)};

test(tool, async () => {
  const transport = new ${name}(${made});
  const client = new Client({ name: 'repeated-call', version: '1.0.0' });
  await client.connect(transport);
  try {
    const result = await client.callTool({ name: tool, arguments: JSON.parse(argumentsText) });
    console.log(JSON.stringify(result, null, 2));
    assert.notEqual(result.isError, true);
  } finally {
    await client.close();
  }
});
`;
  return { fileName: 'call.test.mjs', text, notes };
}
