import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The worker runs built JavaScript always: Node can't load TypeScript in a worker, and a loader
 * would add half a second to every start. Where this module itself is source (in tests), the
 * built one beside it is taken, and refused if the source has changed since.
 */
export function resolveWorkerScript(): URL {
  if (!import.meta.url.endsWith('.ts')) return new URL('./worker.js', import.meta.url);
  const script = new URL('../dist/worker.js', import.meta.url);
  const record = new URL('../tsconfig.tsbuildinfo', import.meta.url);
  if (!existsSync(script)) {
    throw new Error(`${fileURLToPath(script)} is missing: run \`npm run build\` first.`);
  }
  const source = fileURLToPath(new URL('.', import.meta.url));
  const builtAtMs = Math.max(modifiedAtMs(script), modifiedAtMs(record));
  const changed = readdirSync(source, { recursive: true, encoding: 'utf8' }).find(
    (name) => name.endsWith('.ts') && statSync(`${source}/${name}`).mtimeMs > builtAtMs,
  );
  if (changed !== undefined) {
    throw new Error(`${source}${changed} has changed since the build: run \`npm run build\`.`);
  }
  return script;
}

function modifiedAtMs(file: URL): number {
  return existsSync(file) ? statSync(file).mtimeMs : 0;
}
