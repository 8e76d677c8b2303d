import { dirname, relative } from 'node:path';
import { chooseFormat, makeSourceHead } from '../src/index.ts';
import { CORPUS_FOLDER, filesBelow, sourceOfFile } from '../test/support.ts';

// Prints which importer wins each file below a folder (the corpus, where none is named), and by how
// much; one line for each folder and winner.

const [folder = CORPUS_FOLDER] = process.argv.slice(2);
const rows = new Map<string, { count: number; least: number; example: string }>();
for (const path of filesBelow(folder)) {
  const { importer, scores } = chooseFormat(await makeSourceHead(sourceOfFile(path)));
  const lead = (scores[0]?.score ?? 0) - (scores[1]?.score ?? 0);
  const name = relative(folder, path);
  const [top = ''] = dirname(name).split('/');
  const key = `${top.padEnd(22)} ${(importer?.id ?? '(none)').padEnd(22)}`;
  const row = rows.get(key);
  if (row === undefined) rows.set(key, { count: 1, least: lead, example: name });
  else {
    row.count += 1;
    if (lead < row.least) Object.assign(row, { least: lead, example: name });
  }
}
for (const [key, { count, least, example }] of rows) {
  process.stdout.write(
    `${key} ${String(count).padStart(4)}  lead ${least.toFixed(2)}  ${example}\n`,
  );
}
