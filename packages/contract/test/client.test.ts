import { MisstepError } from '@misstep/model';
import { expect, it } from 'vitest';
import { createClient, routes } from '../src/index.ts';

function clientOf(status: number, body: string) {
  return createClient({
    baseUrl: '',
    fetch: async () => new Response(body, { status }),
  });
}

const error = {
  code: 'REQUEST_INVALID',
  message: 'The two calls have the same arguments.',
  hint: 'Nothing was sent. Choose another B.',
  details: { field: 'callB' },
};

it('an error keeps what the server says to do, which may be more than its code says', async () => {
  const client = clientOf(400, JSON.stringify({ error }));
  const thrown = await client(routes.listRuns).catch((cause: unknown) => cause);
  expect(thrown).toBeInstanceOf(MisstepError);
  expect(thrown).toMatchObject(error);
});

it('a code that is not known here keeps its words', async () => {
  const client = clientOf(400, JSON.stringify({ error: { ...error, code: 'OF_A_NEWER_SERVER' } }));
  await expect(client(routes.listRuns)).rejects.toMatchObject({
    code: 'INTERNAL',
    message: error.message,
    hint: error.hint,
  });
});

it('an answer that is none of ours is an error of its own', async () => {
  await expect(clientOf(502, '<html>')(routes.listRuns)).rejects.toMatchObject({
    code: 'INTERNAL',
    message: expect.stringContaining('502'),
  });
});
