import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { rootFolder } from './words.mjs';

/**
 * The workspace's packages and apps, e.g. `packages/json`, `apps/web`.
 * @param {string} [base]
 * @returns {string[]} folders relative to the base, with forward slashes
 */
export function listUnits(base = rootFolder) {
  return ['packages', 'apps'].flatMap((group) =>
    readdirSync(path.join(base, group))
      .filter((name) => existsSync(path.join(base, group, name, 'package.json')))
      .sort()
      .map((name) => `${group}/${name}`),
  );
}
