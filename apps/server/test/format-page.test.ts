import { importers } from '@misstep/importers';
import { expect, test } from 'vitest';
import { readFormatPage, withSharedCodes } from '../src/services/format-page.ts';

test('each code that a page names has a row that says what to do', async () => {
  const missing: string[] = [];
  for (const { id } of importers) {
    const { page } = await readFormatPage(id);
    const says = page.split(/^## /m).find((part) => part.startsWith('What Misstep says')) ?? '';
    const named = says.match(/`[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+`/g) ?? [];
    expect([id, named.length > 0]).toEqual([id, true]);
    for (const code of named) {
      if (!code.startsWith('`OTEL_') && !says.includes(`\n| ${code}`))
        missing.push(`${id} ${code}`);
    }
  }
  expect(missing).toEqual([]);
});

test('rows of the README go behind what the page says itself, once', () => {
  const head = '| code | meaning | what to do |\n|---|---|---|\n';
  const own = '| `OWN_CODE` | one of its own | nothing |';
  const readme = `${head}${own}\n| \`SHARED_CODE\` | of many | look |\n| \`OTHER_CODE\` | of others | look |\n`;
  const says = `# A format\n\n## What Misstep says\n\n${head}${own}\n\nBesides: \`SHARED_CODE\`.\n`;
  expect(withSharedCodes(`${says}\n## How to get such a file\n\nAsk.\n`, readme)).toBe(
    `${says}\n${head}| \`SHARED_CODE\` | of many | look |\n\n## How to get such a file\n\nAsk.\n`,
  );
  expect(withSharedCodes('# A page without them\n', readme)).toBe('# A page without them\n');
});
