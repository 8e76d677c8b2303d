import { relative } from 'node:path';
import { chooseFormat, importerById, makeSourceHead } from '../src/index.ts';
import { CORPUS_FOLDER, filesBelow, sourceOfFile } from '../test/support.ts';

// Prints what each real file is taken for and what comes out of it: winner, lead over the second,
// runs, steps by kind, records (understood + set aside + not understood + malformed), issues. Arguments narrow it to paths that hold one of them; with
// `format=ID` that format reads them whatever wins.

const forced = process.argv.find((each) => each.startsWith('format='))?.slice('format='.length);
const wanted = process.argv.slice(2).filter((each) => !each.startsWith('format='));

for (const path of filesBelow(CORPUS_FOLDER)) {
  const name = relative(CORPUS_FOLDER, path);
  if (wanted.length > 0 && !wanted.some((each) => name.includes(each))) continue;
  const main = sourceOfFile(path);
  const { importer: winner, scores } = chooseFormat(await makeSourceHead(main));
  const [first, second] = scores;
  const lead = ((first?.score ?? 0) - (second?.score ?? 0)).toFixed(2);
  const importer = forced === undefined ? winner : importerById(forced);
  if (importer === null) {
    process.stdout.write(`${name}\t-\n`);
    continue;
  }
  const { runs, sources, issues } = await importer.read({ main, companions: [] });
  const kinds = new Map<string, number>();
  for (const run of runs) {
    for (const { kind, status } of run.steps) {
      const key = kind === 'tool' ? `tool ${status}` : kind;
      kinds.set(key, (kinds.get(key) ?? 0) + 1);
    }
  }
  const steps = [...kinds].map(([kind, count]) => `${kind} ${count}`).join(', ');
  const records = sources.map(
    ({ records: r }) => `${r.understood}+${r.setAside}+${r.notUnderstood}+${r.malformed}`,
  );
  const codes = issues.map(({ code }) => code).join(' ');
  process.stdout.write(
    `${name}\t${importer.id} +${lead}\t${runs.length} runs: ${steps}\trecords ${records.join(' ')}\t${codes}\n`,
  );
}
