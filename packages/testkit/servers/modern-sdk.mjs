#!/usr/bin/env node
// A server made with the official SDK for revision 2026-07-28: on stdio, or with --http on Streamable
// HTTP. With --strict it speaks no revision that has initialize.
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  McpServer,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const { values } = parseArgs({
  options: { http: { type: 'boolean' }, strict: { type: 'boolean' } },
});

function createShelf() {
  const server = new McpServer({ name: 'sdk shelf', version: '2.4' });
  const shelf = {
    type: 'object',
    properties: { shelf: { type: 'string', 'x-mcp-header': 'Shelf' } },
  };
  server.registerTool(
    'echo',
    { description: 'Gives back its shelf.', inputSchema: fromJsonSchema(shelf) },
    (args) => ({ content: [{ type: 'text', text: String(args.shelf) }] }),
  );
  server.registerTool(
    'greet',
    { description: 'Asks for a name first.', inputSchema: fromJsonSchema({ type: 'object' }) },
    (_args, context) => {
      const answer = context.mcpReq.inputResponses?.name;
      if (answer === undefined) {
        const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
        const ask = inputRequired.elicit({ message: 'Your name?', requestedSchema });
        return inputRequired({ inputRequests: { name: ask } });
      }
      return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
    },
  );
  return server;
}

if (values.http) {
  const options = values.strict ? { legacy: 'reject' } : {};
  const server = createServer(toNodeHandler(createMcpHandler(createShelf, options)));
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`);
  });
  process.stdin.resume();
  process.stdin.on('end', () => process.exit(0));
} else {
  serveStdio(createShelf, values.strict ? { legacy: 'reject' } : {});
}
