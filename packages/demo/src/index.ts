import { fileURLToPath } from 'node:url';

export { Connection } from './connection.ts';
export { serveHttp } from './http.ts';
export { serveStdio } from './stdio.ts';

/** How to start the demo server over stdio: always the built script, also when read from source. */
export function demoServerCommand(): { command: string; args: string[] } {
  return {
    command: process.execPath,
    args: [fileURLToPath(new URL('../dist/main.js', import.meta.url))],
  };
}

/** One run in three kinds of recording. The first is what a start opens on. */
export function sampleRuns(): { name: string; path: string }[] {
  return ['hollow-farm-session.jsonl', 'hollow-farm-ticket.txt', 'hollow-farm-wire.frames'].map(
    (name) => ({
      name,
      path: fileURLToPath(new URL(`../samples/${name}`, import.meta.url)),
    }),
  );
}
