import { lossesInPython, ownRevision } from './sdk-losses.ts';
import { commentLines, sourceLiteral } from './shell-quote.ts';
import type { CheckedCall, TakeAway } from './take-away.ts';

/** A test for pytest with the official SDK of Python. */
export function pytestFile(call: CheckedCall): TakeAway {
  const { address, tool, argumentsText, document } = call;
  const literal = (text: string) => sourceLiteral(text, 'python');
  const notes = [...call.notes, ...ownRevision(call), ...lossesInPython(document)];
  const { headers, environment } = call.needed;
  const isStdio = address.transport === 'stdio';
  const imports = isStdio
    ? 'from mcp import ClientSession, StdioServerParameters\nfrom mcp.client.stdio import stdio_client'
    : address.transport === 'sse'
      ? 'from mcp import ClientSession\nfrom mcp.client.sse import sse_client'
      : 'from mcp import ClientSession\nfrom mcp.client.streamable_http import streamablehttp_client';
  const variables = environment.map(
    ({ name, placeholder }) =>
      `${literal(name)}: os.environ.get(${literal(name)}, ${literal(placeholder)})`,
  );
  const pairs = headers.map(({ name, placeholder }) => `${literal(name)}: ${literal(placeholder)}`);
  const given = pairs.length === 0 ? '' : `, headers={${pairs.join(', ')}}`;
  const opened = isStdio
    ? `stdio_client(
        StdioServerParameters(
            command=${literal(address.command)},
            args=[${address.args.map(literal).join(', ')}],
            cwd=${address.cwd === null ? 'None' : literal(address.cwd)},${variables.length === 0 ? '' : `\n            env={${variables.join(', ')}},`}
        )
    ) as (read, write)`
    : address.transport === 'sse'
      ? `sse_client(${literal(address.url)}${given}) as (read, write)`
      : `streamablehttp_client(${literal(address.url)}${given}) as (read, write, _)`;
  const text = `${commentLines('#', [
    'pip install "mcp>=1.9,<2" pytest && pytest -s test_call.py',
    ...notes,
  ])}import asyncio
import json
${environment.length === 0 ? '' : 'import os\n'}
${imports}

TOOL = ${literal(tool)}
ARGUMENTS_TEXT = ${literal(argumentsText)}


async def call_once():
    async with ${opened}:
        async with ClientSession(read, write) as session:
            await session.initialize()
            return await session.call_tool(TOOL, json.loads(ARGUMENTS_TEXT))


def test_call():
    result = asyncio.run(call_once())
    print(result.model_dump_json(indent=2))
    assert not result.isError
`;
  return { fileName: 'test_call.py', text, notes };
}
