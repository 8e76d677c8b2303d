import { createGunzip, createInflateRaw, type Gunzip, type InflateRaw } from 'node:zlib';
import { DamagedData } from './damaged-data.ts';
import { type PackedSpan, packedBytes } from './packed-span.ts';

type Inflating = Gunzip | InflateRaw;

/**
 * Unpacks deflate data or gzip members. What comes out of one piece of input is lost where the piece is
 * damaged, so the damaged piece is done again byte by byte: then nothing in front of the damage is.
 */
export async function* inflate(
  span: PackedSpan,
  compression: 'deflate' | 'gzip',
): AsyncGenerator<Uint8Array> {
  let givenBytes = 0;
  const found: PieceDamage[] = [];
  for await (const chunk of inflateOnce(span, compression, null, (damage) => found.push(damage))) {
    givenBytes += chunk.length;
    yield chunk;
  }
  const [first] = found;
  if (first === undefined) return;
  yield* withoutFirst(
    givenBytes,
    inflateOnce(span, compression, first.piece, () => undefined),
  );
  throw new DamagedData(first.message);
}

interface PieceDamage {
  readonly message: string;
  /** Which of the pieces of input it stands in. */
  readonly piece: number;
}

async function* inflateOnce(
  span: PackedSpan,
  compression: 'deflate' | 'gzip',
  damagedPiece: number | null,
  onDamage: (damage: PieceDamage) => void,
): AsyncGenerator<Uint8Array> {
  const stream = compression === 'gzip' ? createGunzip() : createInflateRaw();
  const ready: Uint8Array[] = [];
  const failures: Error[] = [];
  let isOver = false;
  // Flowing, so that nothing waits inside the stream to be lost with it when it fails.
  stream.on('data', (chunk: Uint8Array) => ready.push(chunk));
  stream.on('error', (error: Error) => failures.push(error));
  // Data can end before the input does: what stands behind them is none of theirs.
  stream.on('end', () => {
    isOver = true;
  });
  let piece = 0;
  try {
    for await (const chunk of packedBytes(span)) {
      const step = piece === damagedPiece ? 1 : chunk.length;
      for (let at = 0; at < chunk.length && failures.length === 0 && !isOver; at += step) {
        await orOver(stream, (done) => stream.write(chunk.subarray(at, at + step), done));
        yield* ready.splice(0);
      }
      if (failures.length > 0 || isOver) break;
      piece += 1;
    }
    if (failures.length === 0 && !isOver) {
      await orOver(stream, (done) => stream.once('close', done).end());
      yield* ready.splice(0);
    }
  } finally {
    stream.destroy();
  }
  const [failure] = failures;
  if (failure !== undefined) onDamage({ message: failure.message, piece });
}

/** A stream that has failed or ended never calls back what was begun on it: its end answers too. */
function orOver(stream: Inflating, begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('close', done).off('end', done);
      resolve();
    };
    stream.on('close', done).on('end', done);
    if (stream.destroyed) done();
    else begin(done);
  });
}

async function* withoutFirst(
  bytes: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let skip = bytes;
  for await (const chunk of chunks) {
    if (chunk.length > skip) yield chunk.subarray(skip);
    skip = Math.max(0, skip - chunk.length);
  }
}
