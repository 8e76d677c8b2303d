#!/usr/bin/env node
// A case's server, by hand: `npx tsx packages/testkit/src/main.ts CASE [--http]`; without a name, the
// list of cases. On stdio it is a target's command as it stands; with --http it prints its URL.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CASES } from './cases.ts';

const [name, ...rest] = process.argv.slice(2);
const found = CASES.find((each) => each.name === name);
const isHttp = rest.includes('--http');

if (found === undefined) {
  for (const { name: listed, transports, does } of CASES) {
    process.stdout.write(`${listed.padEnd(24)} ${transports.join(', ').padEnd(22)} ${does}\n`);
  }
  process.exitCode = name === undefined ? 0 : 2;
} else if (!isHttp && !found.transports.includes('stdio')) {
  process.stderr.write(`${found.name} is spoken over Streamable HTTP only: give --http.\n`);
  process.exitCode = 2;
} else {
  const script = new URL(`../servers/hostile-${isHttp ? 'http' : 'stdio'}.mjs`, import.meta.url);
  const words = [fileURLToPath(script), '--behaviour', found.name];
  process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1;
}
