import { writeFileSync } from 'node:fs';
import { renderResult } from '../test/expectation.ts';
import { listFixtures, loadFixture } from '../test/fixtures.ts';

// Writes what each importer makes of its fixtures. Read the difference before committing it: the
// conformance suite holds the importers to these files. An id as argument writes one format's only.

const [only] = process.argv.slice(2);

for (const fixture of listFixtures()) {
  if (only !== undefined && fixture.importer.id !== only) continue;
  const { main, companions, readers } = await loadFixture(fixture);
  const result = await fixture.importer.read({ main, companions });
  const rendered = await renderResult(result, readers);
  writeFileSync(fixture.expectationPath, `${JSON.stringify(rendered, null, 2)}\n`);
  process.stdout.write(`${fixture.name}\n`);
}
