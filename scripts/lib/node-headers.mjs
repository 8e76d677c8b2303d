import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { npmCommand, readCommand } from './run-command.mjs';

/**
 * Where node-gyp finds Node's headers. pnpm reads this only from the environment, so a `nodedir` in
 * npm's configuration has to be carried over by us; one that was set for another Node is passed over.
 * @param {object} known
 * @param {string | undefined} known.fromEnvironment value of npm_config_nodedir
 * @param {string | undefined} known.fromNpm what `npm config get nodedir` printed
 * @param {string} known.nodeBinary real path of the node binary
 * @param {string} known.nodeVersion without the v
 * @param {(file: string) => string | undefined} known.read a file's text, undefined when missing
 * @returns {string | undefined} undefined: leave it to node-gyp, which downloads the headers
 */
export function chooseNodedir({ fromEnvironment, fromNpm, nodeBinary, nodeVersion, read }) {
  if (fromEnvironment) return fromEnvironment;
  /** @param {string} folder */
  const isOfAnotherNode = (folder) => {
    const header = read(path.join(folder, 'include', 'node', 'node_version.h'));
    const major = /#define NODE_MAJOR_VERSION (\d+)/.exec(header ?? '')?.[1];
    return major !== undefined && major !== nodeVersion.split('.')[0];
  };
  const isSet = fromNpm && fromNpm !== 'undefined' && fromNpm !== 'null';
  if (isSet && !isOfAnotherNode(fromNpm)) return fromNpm;
  const prefix = path.dirname(path.dirname(nodeBinary));
  const hasHeaders = read(path.join(prefix, 'include', 'node', 'node.h')) !== undefined;
  return hasHeaders && !isOfAnotherNode(prefix) ? prefix : undefined;
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | undefined>}
 */
export async function findNodedir(env) {
  const npm = npmCommand(env);
  return chooseNodedir({
    fromEnvironment: env.npm_config_nodedir,
    fromNpm: await readCommand(npm.command, [...npm.args, 'config', 'get', 'nodedir'], { env }),
    nodeBinary: realpathSync(process.execPath),
    nodeVersion: process.versions.node,
    read: (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
  });
}
