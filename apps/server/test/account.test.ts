import { readFile } from 'node:fs/promises';
import { routes } from '@misstep/contract';
import type { Ulid } from '@misstep/model';
import { EVIDENCE_GRADES, encodeFrameRecord, type RunFrame, readFrameLog } from '@misstep/model';
import type { StoredRunDetail } from '@misstep/store';
import { describe, expect, test } from 'vitest';
import { HeavyWork } from '../src/jobs/heavy-work.ts';
import { createReceiptService } from '../src/services/receipt-service.ts';
import { readWireResult } from '../src/services/replay/recorded-conversation.ts';
import { createExitService } from '../src/services/secrets/exit-secrets.ts';
import { addDepot, depotName, importedCall, makeDepot, request } from './depot.ts';
import { call, openTestApp } from './support.ts';

const SECRET = 'tok-5f0c1b7a99';

async function sentOnce(change: object = {}, args: string[] = []) {
  const opened = await openTestApp();
  await addDepot(opened.services, await makeDepot(), false, args);
  const place = await importedCall(opened.services);
  const { id } = await opened.services.replays.start(request(place, change));
  await opened.services.replays.whenDone(id);
  return { ...opened, place, id };
}

const get = async (
  app: Awaited<ReturnType<typeof openTestApp>>['app'],
  route: (typeof routes)[keyof typeof routes],
  replayId: Ulid,
  query: object = {},
) => (await call(app, route, { params: { replayId }, query })).json;

describe('what a replay came to, over HTTP', () => {
  test('the account says what was the same, what it means and what was not sent again', async () => {
    const { app, id } = await sentOnce();
    const account = await get(app, routes.getReceipt, id);
    expect(account).toMatchObject({
      receipt: { id },
      pins: [
        { name: 'Same argument bytes', same: true, words: 'yes, 27 of 27' },
        { name: 'Same tool', same: true },
        { name: 'Same tool definition', same: true, words: 'yes, same bytes' },
        { name: 'Same server', same: null, words: 'unknown then, depot now' },
        { name: 'Same server version', same: null },
        { name: 'Same protocol revision', same: null },
        { name: 'Same server state', same: null, words: 'unknown, as of now' },
      ],
      resultCheck: {
        verdict: 'nothing declared',
        sentence: expect.stringMatching(/outputSchema|structuredContent/),
      },
      notSentAgain: [],
      exportNotes: [],
    });
    expect(JSON.stringify(account)).toContain(
      'may come from what nobody can know (server, server version, protocol revision, server state)',
    );
    expect(await get(app, routes.verifyReceipt, id)).toMatchObject({ verified: true });
  });

  test('ignore rules are kept for the tool, take rows, are suggested and never applied unasked', async () => {
    const { app, id, place } = await sentOnce();
    const before = await get(app, routes.getComparison, id);
    expect(before).toMatchObject({ rules: [], comparison: { columns: ['wire', 'replayed'] } });
    const put = (rules: string[]) =>
      call(app, routes.putIgnoreRules, { params: place, body: { rules } });
    expect((await put(['/content/*/text', '/content/*/text'])).json).toEqual({
      rules: ['/content/*/text'],
    });
    expect(await get(app, routes.getComparison, id)).toMatchObject({
      rules: ['/content/*/text'],
      comparison: { ignored: [{ rule: '/content/*/text', count: 1 }] },
    });
    expect((await put(['no such preset'])).status).toBe(400);
    expect((await put([])).json).toEqual({ rules: [] });
  });

  test('recorded and live result line by line', async () => {
    const { app, id } = await sentOnce();
    const { difference } = (await get(app, routes.getTextDifference, id)) as {
      difference: { lines: { kind: string; text: string }[] };
    };
    expect(difference).toMatchObject({ recorded: 'wire', linesOmitted: 0 });
    expect(difference.lines.filter(({ kind }) => kind === 'live')).toMatchObject([
      { text: '      "text": "here"' },
    ]);
  });

  test('a secret in the command leaves with no export and no taken call, and the file still verifies', async () => {
    const { app, id, services, place } = await sentOnce({}, ['--token', SECRET]);
    const exported = await services.receipts.export(id);
    const text = Buffer.from(exported.bytes).toString('latin1');
    expect(text).not.toContain(SECRET);
    expect(text).toContain('PUT_TOKEN_HERE');
    expect(exported.notes.join(' ')).toContain('PUT_TOKEN_HERE');
    expect(await services.receipts.verifyFile(exported.bytes)).toMatchObject({ verified: true });

    const download = await call(app, routes.exportReceipt, { params: { replayId: id } });
    expect([download.status, download.text.includes(SECRET)]).toEqual([200, false]);
    expect(download.headers['content-disposition']).toContain(`replay-${id}.frames`);

    // The same replay with other words in its receipt is not this one.
    const forged = Buffer.from(text.replaceAll('PUT_TOKEN_HERE', 'PUT_OTHER_HERE'), 'latin1');
    expect(await services.receipts.verifyFile(forged)).toMatchObject({ verified: false });

    // Nor is one with a record more, however well its checksum fits: this folder has the frames.
    const entries = readFrameLog(exported.bytes).entries;
    const added = entries.map((entry, index) =>
      Buffer.concat([
        encodeFrameRecord(entry),
        ...(index === 1
          ? [encodeFrameRecord({ ...entry, lane: '!', payload: Buffer.of(65) })]
          : []),
      ]),
    );
    const more = Buffer.concat([exported.bytes.subarray(0, entries[0]?.offset ?? 0), ...added]);
    const found = await services.receipts.verifyFile(more);
    expect(found).toMatchObject({ verified: false });
    expect(found.sentence).toContain('frameLog in this data folder');

    for (const form of ['shell', 'node', 'pytest', 'frames']) {
      const taken = await get(app, routes.takeAwayReplay, id, { form });
      expect(JSON.stringify(taken)).not.toContain(SECRET);
      const ofStep = await call(app, routes.takeAwayStep, {
        params: place,
        query: { form, targetName: 'depot' },
      });
      expect([ofStep.status, ofStep.text.includes(SECRET)]).toEqual([200, false]);
    }
    const curl = await call(app, routes.takeAwayReplay, {
      params: { replayId: id },
      query: { form: 'curl' },
    });
    expect(curl.json).toMatchObject({ error: { code: 'REQUEST_INVALID' } });
  });
});

describe('the recorded wire beside a transcript', () => {
  const answer = '{"jsonrpc":"2.0","id":7,"result":{"n":9007199254740993}}';
  const frame = (change: Partial<RunFrame>) =>
    ({
      direction: 'server-to-client',
      kind: 'response',
      idText: '7',
      method: null,
      ...change,
    }) as RunFrame;
  const find = (grades: Partial<Record<string, number>>, frames: RunFrame[]) =>
    readWireResult(
      {
        getRun: async () =>
          // Only what the reading of a wire looks at.
          ({
            evidenceCounts: EVIDENCE_GRADES.map((grade) => grades[grade] ?? 0),
            frameCount: frames.length,
          }) as unknown as StoredRunDetail,
        listFrames: async () => ({ total: frames.length, frames }),
      },
      { bytesOf: async () => Buffer.from(answer) },
      'r' as never,
      's' as never,
    );

  test('is the exact result of the answer to this very request', async () => {
    const frames = [
      frame({ direction: 'client-to-server', kind: 'request', method: 'tools/call' }),
      frame({}),
    ];
    expect(await find({ wire: 2, rendered: 3 }, frames)).toEqual({
      text: '{"n":9007199254740993}',
      isError: false,
    });
    const other = [frames[0] as RunFrame, frame({ idText: '8' })];
    expect(await find({ wire: 2, rendered: 3 }, other)).toBeNull();
  });

  test('is none where a log printed the frames', async () => {
    expect(await find({ logged: 2 }, [frame({})])).toBeNull();
    expect(await find({ wire: 1 }, [])).toBeNull();
  });
});

describe('a value that is kept as a secret of the target', () => {
  test('leaves with no export, also where the server echoed it, and what was masked is said', async () => {
    const { services } = await openTestApp();
    const depot = await makeDepot();
    const added = await services.targets.add(depotName, {
      transport: 'stdio',
      command: process.execPath,
      args: depot.args,
      cwd: null,
    });
    await services.targets.confirm(depotName, added.description, false);
    const place = await importedCall(services);
    // The arguments stand in a frame, byte for byte, and so would an echo.
    const argumentsText = `{"code":"${SECRET}"}`;
    const { id } = await services.replays.start(request(place, { argumentsText }));
    await services.replays.whenDone(id);
    const before = await services.receipts.export(id);
    expect(Buffer.from(before.bytes).toString('latin1')).toContain(SECRET);

    const { receipt, receiptText } = await services.receipts.show(id);
    const frameLog = await readFile((await services.store.getReplay(id)).frameLogPath);
    const kept = { environment: new Map([['DEPOT_KEY', SECRET]]), headers: new Map() };
    const exits = createExitService(services.store, {
      keptOf: async (name) => {
        expect(name).toBe(receipt.target.name);
        return kept;
      },
    });
    const { store, values } = services;
    const masked = createReceiptService(store, values, exits, new HeavyWork());
    const { bytes } = await masked.export(id);
    expect(Buffer.from(bytes).toString('latin1')).not.toContain(SECRET);
    expect(frameLog.toString('latin1')).toContain(SECRET);
    expect(receiptText).not.toContain(SECRET);
  });
});
