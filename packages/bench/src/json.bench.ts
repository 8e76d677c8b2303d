/**
 * Ratios of @misstep/json to JSON.parse and JSON.stringify in the same process. Run it with
 * `npx tsx --conditions=source packages/bench/src/json.bench.ts`. Prints; nothing passes or fails.
 */
import {
  canonicalJson,
  equalJson,
  mayLose,
  parseJson,
  parsePlain,
  printJson,
  readTolerant,
} from '@misstep/json';

const ROUNDS = 5;

function medianMs(work: () => unknown): number {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAtMs = performance.now();
    work();
    times.push(performance.now() - startedAtMs);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

function ordinaryText(): string {
  const rows = Array.from({ length: 15_000 }, (_, index) => ({
    id: index,
    name: `Parcel ${index}`,
    tags: ['fragile', 'north', 'signed'],
    weightKg: index / 8,
    place: { shelf: `S-${index % 97}`, free: index % 3 === 0, note: null },
    remark: `Left at the "blue" door,\nring twice: façade ${index}`,
  }));
  return JSON.stringify(rows);
}

function prose(): string {
  const line = 'The courier waited at the gate for a while and then wrote this note. ';
  return JSON.stringify(Array.from({ length: 400 }, () => line.repeat(120)));
}

function report(name: string, text: string): void {
  const doc = parseJson(text);
  if (!doc.ok) throw new Error(doc.error.message);
  const plain: unknown = JSON.parse(text);
  const bytes = new TextEncoder().encode(text).length;
  const parseMs = medianMs(() => JSON.parse(text));
  const stringifyMs = medianMs(() => JSON.stringify(plain));
  const line = (what: string, base: string, ratio: number) =>
    process.stdout.write(`  ${what.padEnd(28)} ${ratio.toFixed(1).padStart(6)} x ${base}\n`);
  process.stdout.write(
    `${name}: ${(bytes / 1e6).toFixed(1)} MB, JSON.parse ${parseMs.toFixed(1)} ms\n`,
  );
  line('parseJson', 'JSON.parse', medianMs(() => parseJson(text)) / parseMs);
  line('mayLose (scan and parse)', 'JSON.parse', medianMs(() => mayLose(text)) / parseMs);
  line('parsePlain', 'JSON.parse', medianMs(() => parsePlain(text)) / parseMs);
  line('readTolerant, whole', 'JSON.parse', medianMs(() => readTolerant(text)) / parseMs);
  const cut = text.slice(0, -1);
  line('readTolerant, cut', 'JSON.parse', medianMs(() => readTolerant(cut)) / parseMs);
  line('equalJson', 'JSON.parse', medianMs(() => equalJson(doc.value, doc.value)) / parseMs);
  line('printJson', 'JSON.stringify', medianMs(() => printJson(doc.value)) / stringifyMs);
  line('canonicalJson', 'JSON.stringify', medianMs(() => canonicalJson(doc.value)) / stringifyMs);
}

report('records', ordinaryText());
report('prose', prose());
