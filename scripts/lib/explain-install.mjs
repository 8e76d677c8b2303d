/** What compiling better-sqlite3 needs, in the words of the common systems. */
export const toolchainHint =
  'On Debian or Ubuntu: apt-get install -y build-essential python3. On macOS: xcode-select --install. ' +
  'On Windows: the "Desktop development with C++" workload and Python 3.';

/**
 * Says in words why an install failed and what to do next.
 * @param {string} log the installer's whole output
 * @param {{ missingTools: readonly string[], pnpmVersion: string }} known
 * @returns {{ message: string, next: string }}
 */
export function explainInstallFailure(log, { missingTools, pnpmVersion }) {
  if (/ERR_PNPM_OUTDATED_LOCKFILE|frozen-lockfile.*not up to date|lockfile.*outdated/i.test(log)) {
    return {
      message: 'pnpm-lock.yaml does not fit the package.json files.',
      next: `After changing dependencies, run: npx pnpm@${pnpmVersion} install`,
    };
  }
  const compiling = /node-gyp|gyp ERR!|better-sqlite3.*(install|build)/i.test(log);
  if (compiling && missingTools.length > 0) {
    return {
      message: `better-sqlite3 has to be compiled here, and this is missing: ${missingTools.join(', ')}.`,
      next: toolchainHint,
    };
  }
  if (compiling && /node\.h|headers|nodejs\.org/i.test(log)) {
    return {
      message: "better-sqlite3 has to be compiled here, and Node's headers were not found.",
      next: 'Set npm_config_nodedir to the folder that holds include/node/node.h, or let node-gyp reach nodejs.org.',
    };
  }
  if (compiling) {
    return {
      message: 'better-sqlite3 could not be compiled.',
      next: `It needs a C++20 compiler, make and python3. ${toolchainHint}`,
    };
  }
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ERR_PNPM_(FETCH|META_FETCH)|dns error/i.test(log)
  ) {
    return {
      message: 'The packages could not be fetched.',
      next: "The first start needs the npm registry. Check the network and npm's registry setting.",
    };
  }
  if (/ENOSPC|no space left/i.test(log)) {
    return { message: 'The disk is full.', next: 'Make room, then run the same command again.' };
  }
  return {
    message: 'The packages could not be installed.',
    next: 'Run the same command again; if it fails again, the output above says where.',
  };
}
