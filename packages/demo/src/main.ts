#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { serveHttp } from './http.ts';
import { serveStdio } from './stdio.ts';

const HELP = `misstep-demo-server: the books of Fennel Street Seeds as an MCP server

  misstep-demo-server                 over standard input and output
  misstep-demo-server --http [PORT]   over Streamable HTTP on 127.0.0.1 (0 = any free port)
`;

const { values, positionals } = parseArgs({
  options: { http: { type: 'boolean' }, help: { type: 'boolean' } },
  allowPositionals: true,
});

if (values.help) {
  process.stdout.write(HELP);
} else if (values.http) {
  const { url } = await serveHttp(Number(positionals[0] ?? 0));
  process.stderr.write(`fennel-street-seeds 1.4.0 listening on ${url}\n`);
} else {
  process.stderr.write('fennel-street-seeds 1.4.0 listening on stdio\n');
  await serveStdio(process.stdin, process.stdout);
}
