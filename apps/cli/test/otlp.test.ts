import { expect, test } from 'vitest';
import { makeFolder, misstep } from './support.ts';

const ENDPOINT = 'http://127.0.0.1:4517/v1/traces';

test('otlp shows the environment with its token once, rotates it and takes it away', async () => {
  const dataFolder = await makeFolder();
  const first = await misstep(dataFolder, ['otlp']);
  expect(first.exitCode).toBe(0);
  const lines = first.out.trim().split('\n');
  expect(lines).toEqual([
    `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${ENDPOINT}`,
    expect.stringMatching(
      /^export OTEL_EXPORTER_OTLP_TRACES_HEADERS=x-misstep-token=[A-Za-z0-9_-]{43}$/,
    ),
    'export OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf',
  ]);

  const again = await misstep(dataFolder, ['otlp']);
  expect(again.out).toBe(`export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${ENDPOINT}\n`);
  const [shown] = (await misstep(dataFolder, ['otlp', '--json'])).documents();
  const tokenMadeAt = expect.stringMatching(/^\d{4}-/);
  expect(shown).toEqual({ endpoint: ENDPOINT, tokenMadeAt, token: null, environment: [] });

  const [rotated] = (await misstep(dataFolder, ['otlp', '--rotate', '--json'])).documents();
  const environment = lines.map((line) => line.slice('export '.length));
  expect(rotated).toEqual({
    endpoint: ENDPOINT,
    tokenMadeAt,
    token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    environment: [
      environment[0],
      `OTEL_EXPORTER_OTLP_TRACES_HEADERS=x-misstep-token=${rotated?.token}`,
      environment[2],
    ],
  });
  expect(lines[1]).not.toContain(rotated?.token);

  const [off] = (await misstep(dataFolder, ['otlp', '--off', '--json'])).documents();
  expect(off).toEqual({ endpoint: ENDPOINT, tokenMadeAt: null, token: null, environment: [] });
  expect((await misstep(dataFolder, ['otlp', '--off', '--rotate'])).exitCode).toBe(2);
});
