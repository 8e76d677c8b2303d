import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { makeFolder, misstep, recordingOf } from './support.ts';

const text = recordingOf([{ args: '{"code":1}', result: '{"content":[]}' }]);

describe.skipIf(process.platform !== 'linux')('names and links in a folder', () => {
  test('a name that is no UTF-8 is read, and shown with its bytes escaped', async () => {
    const folder = await makeFolder();
    const sources = join(folder, 'in');
    await mkdir(sources);
    const name = Buffer.from([0x6f, 0xe9, 0x2e, 0x6a, 0x73, 0x6f, 0x6e, 0x6c]);
    await writeFile(Buffer.concat([Buffer.from(`${sources}/`), name]), text);
    const done = await misstep(join(folder, 'data'), ['import', '--json', sources]);
    expect(done.documents()).toMatchObject([
      { path: join(sources, 'o\\xe9.jsonl'), runs: [{ toolCalls: 1 }] },
    ]);
    expect(done.exitCode).toBe(0);
  });

  test('what cannot be looked at fails with its own reason, beside the others', async () => {
    const folder = await makeFolder();
    const sources = join(folder, 'in');
    await mkdir(sources);
    await writeFile(join(sources, 'a.jsonl'), text);
    await symlink('nowhere', join(sources, 'gone.jsonl'));
    await symlink('ring.jsonl', join(sources, 'ring.jsonl'));
    const outside = join(folder, 'outside.jsonl');
    await writeFile(outside, text);
    await symlink(outside, join(sources, 'out.jsonl'));
    const done = await misstep(join(folder, 'data'), ['import', '--json', sources]);
    expect(done.documents()).toMatchObject([
      { path: join(sources, 'a.jsonl'), runs: [{}] },
      { path: join(sources, 'gone.jsonl'), error: { details: { code: 'ENOENT' } } },
      { path: join(sources, 'ring.jsonl'), error: { details: { code: 'ELOOP' } } },
    ]);
    expect(done.err).toContain('out.jsonl: it leads outside the folder');
    expect(done.exitCode).toBe(1);
  });
});

test('a source without a run says what was wrong, and where', async () => {
  const folder = await makeFolder();
  const path = join(folder, 'damaged.jsonl');
  const lines = ['{"type":"user","uuid":', ...Array(300).fill('{"type":"nonsense"}')];
  await writeFile(path, `${lines.join('\n')}\n`);
  const words = ['import', '--json', '--format', 'claude-code-jsonl', path];
  const done = await misstep(join(folder, 'data'), words);
  expect(done.exitCode).toBe(1);
  const [document] = done.documents();
  expect(document).toMatchObject({
    error: { code: 'IMPORT_UNREADABLE' },
    records: { total: 301, malformed: 1, notUnderstood: 300 },
  });
  const issues = document?.issues as { code: string; message: string; offset: number | null }[];
  expect(issues.slice(0, 2)).toEqual([
    expect.objectContaining({ code: 'RECORD_MALFORMED', offset: 0 }),
    expect.objectContaining({
      code: 'RECORD_NOT_UNDERSTOOD',
      offset: (lines[0]?.length ?? 0) + 1,
      message: '19 bytes: unknown record type nonsense.',
    }),
  ]);
  expect(issues.at(-1)).toMatchObject({
    code: 'RECORDS_OMITTED',
    message: '101 further records, 0 of them malformed, not listed.',
  });
});

test('what is packed in a file is told below it, in the same shape', async () => {
  const folder = await makeFolder();
  await writeFile(join(folder, 'a.jsonl.gz'), gzipSync(text));
  await writeFile(join(folder, 'b.json.gz'), gzipSync('{"shelf":[1,2,3]}'));
  const paths = ['a.jsonl.gz', 'b.json.gz'].map((name) => join(folder, name));
  const done = await misstep(join(folder, 'data'), ['import', '--json', ...paths]);
  expect(done.documents()).toMatchObject([
    { runs: [{}], parts: [{ path: join(folder, 'a.jsonl.gz', 'a.jsonl'), runs: [{}] }] },
    {
      error: { code: 'IMPORT_NO_FORMAT' },
      parts: [{ error: { code: 'IMPORT_NO_FORMAT', hint: expect.any(String) } }],
    },
  ]);
});
