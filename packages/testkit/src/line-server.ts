/**
 * A stdio server as the text of a script, CommonJS or a module. `handle` is JavaScript for one line
 * that came: it may look at `line`, `id`, `method` and `params`, wait, and `continue` with the next.
 * `before` stands in front of it all.
 */
export function lineServer(handle: string, before = ''): string {
  return `${before}
let rest = '';
process.stdin.on('data', async (chunk) => {
  rest += chunk;
  const lines = rest.split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
${handle}
  }
});
`;
}
