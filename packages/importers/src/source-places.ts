import type { Origin, SourceHash, StepId } from '@misstep/model';
import type { RunSource } from './run-sources.ts';
import { stepIdAt } from './step-builder.ts';

interface PlacedSource {
  readonly sha256: SourceHash;
  readonly sizeBytes: number;
  /** Prefix of the ids of its steps where another source comes before it; null = none ever does. */
  readonly part: string | null;
}

type Place = Pick<Origin, 'sha256' | 'offset'>;

/**
 * Sources of one reading laid end to end in the order of their first imports, so that one number says
 * where a record stands, and of two records which was here first.
 */
export class SourcePlaces {
  readonly #sources: readonly PlacedSource[];
  readonly #bases = new Map<SourceHash, number>();

  constructor(sources: readonly PlacedSource[]) {
    this.#sources = sources;
    let base = 0;
    for (const { sha256, sizeBytes } of sources) {
      this.#bases.set(sha256, base);
      base += sizeBytes + 1;
    }
  }

  baseOf(sha256: SourceHash): number {
    return this.#bases.get(sha256) ?? 0;
  }

  at({ sha256, offset }: Place): number {
    return this.baseOf(sha256) + offset;
  }

  sourceAt(place: number): PlacedSource | undefined {
    return this.#sources.findLast(({ sha256 }) => this.baseOf(sha256) <= place);
  }

  /** The ids of steps of a run that is known by `first`: those of its other sources have a prefix. */
  partOf(sha256: SourceHash, first: SourceHash): string | null {
    if (sha256 === first) return null;
    return this.#sources.find((each) => each.sha256 === sha256)?.part ?? null;
  }

  idAt(place: number, ordinal: number, first: SourceHash): StepId {
    const source = this.sourceAt(place);
    if (source === undefined) return stepIdAt(place, ordinal);
    const { sha256 } = source;
    return stepIdAt(place - this.baseOf(sha256), ordinal, this.partOf(sha256, first));
  }
}

export function placesOf(sources: readonly RunSource[]): SourcePlaces {
  const byRank = [...sources].sort((a, b) => a.rank - b.rank);
  return new SourcePlaces(
    byRank.map(({ reader: { sha256, sizeBytes }, part }) => ({ sha256, sizeBytes, part })),
  );
}

/** Ids of the steps of one run, which has none of a prefix for the source that it is known by. */
export class TraceIds {
  readonly #places: SourcePlaces;
  readonly #first: SourceHash;

  constructor(places: SourcePlaces, first: SourceHash) {
    this.#places = places;
    this.#first = first;
  }

  at(place: Place): number {
    return this.#places.at(place);
  }

  idAt(place: number, ordinal: number): StepId {
    return this.#places.idAt(place, ordinal, this.#first);
  }

  partOf(sha256: SourceHash): string | null {
    return this.#places.partOf(sha256, this.#first);
  }

  /** The source and the offset there. */
  placeAt(place: number): Place {
    const { sha256 } = this.#places.sourceAt(place) ?? { sha256: this.#first };
    return { sha256, offset: place - this.#places.baseOf(sha256) };
  }
}
