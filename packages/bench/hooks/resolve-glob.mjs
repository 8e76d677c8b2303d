const substitute = new URL('./fs-with-glob.mjs', import.meta.url).href;

export function resolve(specifier, context, next) {
  const isFs = specifier === 'fs' || specifier === 'node:fs';
  const isForSuite = context.parentURL?.includes('/@modelcontextprotocol/conformance/') === true;
  return isFs && isForSuite
    ? { url: substitute, format: 'module', shortCircuit: true }
    : next(specifier, context);
}
