import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { compareResults, sizeOf } from '../src/index.ts';

const image = (data: string) =>
  `{"content":[{"type":"image","mimeType":"image/png","data":"${data}"}]}`;

test('an image is bytes however short it is', () => {
  const { rows } = compareResults({
    transcriptText: image('AAAA'),
    replayedText: image('AAEC'),
    transcriptIsCut: false,
    transcriptEvidence: 'wire',
    sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
  });
  const row = rows.find(({ pointer }) => pointer === '/content/0/data');
  expect(row?.binary?.replayed).toMatchObject({ mediaType: 'image/png', sizeBytes: 3 });
  expect(row?.binary?.wire?.sha256).toHaveLength(64);
});

test('base64 is no text of which tokens are estimated', () => {
  const bare = sizeOf(image(''));
  const full = sizeOf(image('A'.repeat(4000)));
  expect(full.sizeBytes).toBe(bare.sizeBytes + 4000);
  expect(full.estimatedTokens).toBe(bare.estimatedTokens);
});
