import { chooseFormat, importerById, makeSourceHead } from '../src/index.ts';
import { renderResult } from '../test/expectation.ts';
import { sourceOfFile } from '../test/support.ts';

// Prints what the importer (the chosen one, or the one named after the file) makes of a file.

const [path, id] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: show-run.ts FILE [FORMAT]');
const main = sourceOfFile(path);
const choice = chooseFormat(await makeSourceHead(main));
const scores = choice.scores.filter(({ score }) => score > 0);
process.stdout.write(`${scores.map(({ id, score }) => `${id} ${score.toFixed(2)}`).join(', ')}\n`);
const importer = id === undefined ? choice.importer : importerById(id);
if (importer !== null) {
  const result = await importer.read({ main, companions: [] });
  process.stdout.write(`${JSON.stringify(await renderResult(result, [main]), null, 1)}\n`);
}
