import { SourceHashSchema } from '@misstep/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SourceBlocks } from '../src/services/source-blocks.ts';

const sha256 = SourceHashSchema.parse('a'.repeat(64));
const bytes = Uint8Array.from({ length: 2_500_000 }, (_, index) => (index * 31) % 251);

function countingStore() {
  let reads = 0;
  return {
    reads: () => reads,
    async readSource(_sha256: typeof sha256, offset: number, length: number) {
      reads += 1;
      return bytes.subarray(offset, offset + length);
    },
  };
}

test('gives the bytes of the place, also across blocks and at the end', async () => {
  const store = countingStore();
  const blocks = new SourceBlocks(store);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.nat(2_600_000), fc.integer({ min: 1_048_500, max: 1_048_600 })),
      fc.oneof(fc.nat(300), fc.nat(300_000)),
      async (offset, length) => {
        const read = await blocks.read(sha256, offset, length);
        expect(Buffer.compare(read, bytes.subarray(offset, offset + length))).toBe(0);
      },
    ),
  );
});

test('many small pieces are few reads', async () => {
  const store = countingStore();
  const blocks = new SourceBlocks(store);
  for (let offset = 0; offset < 2_400_000; offset += 500) await blocks.read(sha256, offset, 200);
  expect(store.reads()).toBe(3);
});

test('a read that fails is tried again', async () => {
  let isGone = true;
  const blocks = new SourceBlocks({
    readSource: async () => {
      if (isGone) throw new Error('gone');
      return bytes.subarray(0, 10);
    },
  });
  await expect(blocks.read(sha256, 0, 5)).rejects.toThrow('gone');
  isGone = false;
  expect(await blocks.read(sha256, 0, 5)).toEqual(bytes.subarray(0, 5));
});
