import { lossesInPython } from './sdk-losses.ts';
import { commentLines, sourceLiteral } from './shell-quote.ts';
import type { CheckedCall, TakeAway } from './take-away.ts';

/** A test for pytest with the official SDK of Python. */
export function pytestFile(call: CheckedCall): TakeAway {
  const { address, tool, argumentsText, document } = call;
  const literal = (text: string) => sourceLiteral(text, 'python');
  const notes = [...call.notes, ...lossesInPython(document)];
  const isStdio = address.transport === 'stdio';
  const imports = isStdio
    ? 'from mcp import ClientSession, StdioServerParameters\nfrom mcp.client.stdio import stdio_client'
    : 'from mcp import ClientSession\nfrom mcp.client.streamable_http import streamablehttp_client';
  const opened = isStdio
    ? `stdio_client(
        StdioServerParameters(
            command=${literal(address.command)},
            args=[${address.args.map(literal).join(', ')}],
            cwd=${address.cwd === null ? 'None' : literal(address.cwd)},
        )
    ) as (read, write)`
    : `streamablehttp_client(${literal(address.url)}) as (read, write, _)`;
  const text = `${commentLines('#', [
    'pip install "mcp>=1.9,<2" pytest && pytest -s test_call.py',
    ...notes,
  ])}import asyncio
import json

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
