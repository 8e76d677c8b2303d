import { canonicalJson, member } from '@misstep/json';
import { compareTrees } from './compare-trees.ts';
import { againstLive } from './ground.ts';
import type { RowSink } from './row-sink.ts';
import { readStructure, textBlocks, type Version } from './version.ts';

const NAMED_PLACES = 3;

/**
 * MCP servers send a result twice: as JSON in a text block and as `structuredContent`. A client
 * shows one and hands the model the other, so where the two disagree it has to be said. Gives one
 * sentence, or none where they agree or there aren't two.
 */
export function textBesideStructure(version: Version, name: string): string[] {
  if (version.shape !== 'envelope' || version.json === null) return [];
  const { document, root } = version.json;
  const structured = member(document, root, 'structuredContent');
  if (structured === undefined || (structured.kind === 'literal' && structured.value === null)) {
    return [];
  }
  const blocks = textBlocks(document, member(document, root, 'content'));
  const texts = blocks.flatMap(({ index, text }) => {
    const read = readStructure(text, false);
    return read === null ? [] : [{ index, read }];
  });
  const [only] = texts;
  // Several texts are parts of something; only one can be meant as the same value again.
  if (only === undefined || texts.length > 1) return [];
  const structure = { document, root: structured, elisions: [] };
  const said = canonicalJson(only.read.document);
  // Frameworks wrap what is no object in one member of their own: `{"result": ...}`.
  const [first, ...others] = structured.kind === 'object' ? structured.members : [];
  const wrapped = first !== undefined && others.length === 0 ? [first.value] : [];
  const isSame = [structured, ...wrapped].some(
    (root) => canonicalJson({ text: document.text, root }) === said,
  );
  if (isSame) return [];
  const places: string[] = [];
  let count = 0;
  const sink: RowSink = {
    passSame: () => true,
    add(verdict, make) {
      if (verdict === 'same' || verdict === 'formatting only') return;
      count += 1;
      if (count <= NAMED_PLACES) places.push(make().pointer || '/');
    },
  };
  compareTrees(
    {
      transcript: only.read,
      replayed: structure,
      transcriptIsCut: false,
      ground: againstLive('wire'),
    },
    '',
    sink,
  );
  if (count === 0) return [];
  const more = count - places.length;
  return [
    `In the ${name} the JSON text of /content/${only.index}/text and structuredContent disagree at ${places.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
  ];
}
