import type { Importer, SourceHead } from './importer.ts';
import { importers } from './registry.ts';

export interface FormatScore {
  readonly id: string;
  readonly title: string;
  readonly score: number;
}

export interface FormatChoice {
  /** Null where no importer scored above MINIMUM_SCORE: the person has to choose. */
  readonly importer: Importer | null;
  readonly score: number;
  /** Every importer, highest score first. */
  readonly scores: readonly FormatScore[];
}

export const MINIMUM_SCORE = 0.1;

/** Asks every importer what it makes of the head; the highest score wins, the earlier on a tie. */
export function chooseFormat(head: SourceHead): FormatChoice {
  const scored = importers
    .map((importer) => ({ importer, score: scoreOf(importer, head) }))
    .sort((a, b) => b.score - a.score);
  const best = scored[0];
  const found = best !== undefined && best.score > MINIMUM_SCORE;
  return {
    importer: found ? best.importer : null,
    score: best?.score ?? 0,
    scores: scored.map(({ importer, score }) => ({
      id: importer.id,
      title: importer.title,
      score,
    })),
  };
}

export function importerById(id: string): Importer | null {
  return importers.find((importer) => importer.id === id) ?? null;
}

function scoreOf(importer: Importer, head: SourceHead): number {
  const score = importer.sniff(head);
  return Number.isFinite(score) ? Math.max(0, Math.min(1, score)) : 0;
}
