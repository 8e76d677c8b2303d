/**
 * Where a worker's script is. Threads run built files only: from the source tree (tests) that is
 * the same file under dist.
 */
export function workerScript(name: string): URL {
  const here = new URL(import.meta.url);
  const built = here.pathname.endsWith('.ts') ? '../../dist/jobs/' : './';
  return new URL(`${built}${name}.js`, here);
}
