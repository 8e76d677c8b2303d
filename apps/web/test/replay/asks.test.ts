import { parseJson } from '@misstep/json';
import type { ReplayFrame, ServerAsk } from '@misstep/model';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  acceptText,
  type FieldValue,
  fieldProblem,
  readFormFields,
} from '../../src/features/replay/asks/form-fields.ts';
import { latestProgress, readLogMessages } from '../../src/features/replay/asks/notifications.ts';
import { readAsk, rootsText, sampleText } from '../../src/features/replay/asks/read-ask.ts';

function asking(method: string, paramsText: string | null, paramsOmittedBytes = 0): ServerAsk {
  return {
    ordinal: 1,
    method,
    idText: '1',
    atNs: 0,
    paramsText,
    paramsOmittedBytes,
    defaultAnswer: { kind: 'result', text: '{}' },
    defaultAfterMs: 1000,
    answer: null,
    endedUnanswered: null,
  };
}

function fieldsOf(schema: string) {
  const parsed = parseJson(schema);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return readFormFields(parsed.value, parsed.value.root);
}

const accepted = (schema: string, values: readonly FieldValue[]) =>
  acceptText(fieldsOf(schema).fields, values);

describe('a form from a schema', () => {
  const SCHEMA = `{"type":"object","required":["name","size"],"properties":{
    "name":{"type":"string","title":"Your name","maxLength":20,"pattern":"^(a+)+$"},
    "size":{"type":"number","default":1.0},
    "sure":{"type":"boolean","default":true},
    "shelf":{"type":"string","enum":["A","B"],"enumNames":["left","right"]},
    "code":{"oneOf":[{"const":9007199254740993,"title":"the big one"}]},
    "tags":{"type":"array","items":{"type":"string","enum":["x","y"]}},
    "odd":{"type":"object"}}}`;

  test('has a field for each property, with its words and its limits, and runs no pattern', () => {
    const { fields } = fieldsOf(SCHEMA);
    expect(fields.map(({ kind }) => kind)).toEqual([
      'text',
      'number',
      'boolean',
      'choice',
      'choice',
      'several',
      'unsupported',
    ]);
    expect(fields[0]).toMatchObject({
      label: 'Your name',
      isRequired: true,
      limits: ['greatest length 20', 'pattern, not checked here ^(a+)+$'],
    });
    expect(fields[3]?.options).toEqual([
      { text: '"A"', label: 'left' },
      { text: '"B"', label: 'right' },
    ]);
    expect(fields.map(({ initial }) => initial)).toEqual(['', '1.0', true, '', '', [], '']);
  });

  test('sends numbers as typed and leaves out what is empty and not required', () => {
    const values = ['Ada "A"', '9007199254740993', false, '', '9007199254740993', ['"y"'], ''];
    expect(accepted(SCHEMA, values)).toBe(
      '{"action":"accept","content":{"name":"Ada \\"A\\"","size":9007199254740993,"sure":false,"code":9007199254740993,"tags":["y"]}}',
    );
    expect(accepted(SCHEMA, ['', '', true, '"B"', '', [], ''])).toBe(
      '{"action":"accept","content":{"name":"","sure":true,"shelf":"B","tags":[]}}',
    );
  });

  test('says what is no number', () => {
    const [, size] = fieldsOf(SCHEMA).fields;
    if (size === undefined) throw new Error('no field');
    const problems = ['', '1,5', '0x1', 'NaN', '1e400', ' -0 '].map((text) =>
      fieldProblem(size, text),
    );
    expect(problems.map((problem) => problem === null)).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  test('of a hostile server: names like __proto__ are names, depth and length cost nothing', () => {
    const deep = `${'{"type":"object","properties":{"a":'.repeat(5000)}1${'}}'.repeat(5000)}`;
    const schema = `{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"boolean"},"deep":${deep},"none":null,"n":7}}`;
    const { fields } = fieldsOf(schema);
    expect(fields.map(({ kind }) => kind)).toEqual([
      'text',
      'boolean',
      'unsupported',
      'unsupported',
      'unsupported',
    ]);
    const text = acceptText(
      fields,
      fields.map(({ kind, initial }) => (kind === 'text' ? 'x' : initial)),
    );
    expect(text).toBe('{"action":"accept","content":{"__proto__":"x","constructor":false}}');
    const many = Array.from({ length: 500 }, (_, at) => `"p${at}":{"type":"string"}`).join(',');
    expect(fieldsOf(`{"properties":{${many}}}`)).toMatchObject({ omittedCount: 440 });
  });

  test('of any schema is always one JSON text', () => {
    fc.assert(
      fc.property(fc.json(), fc.string({ unit: 'binary' }), (schema, typed) => {
        const { fields } = fieldsOf(`{"properties":{"a":${schema},"b":{"type":"string"}}}`);
        const values = fields.map(({ kind, initial }) => (kind === 'text' ? typed : initial));
        expect(parseJson(acceptText(fields, values)).ok).toBe(true);
      }),
    );
  });
});

describe('what is asked', () => {
  test('an address is offered to be opened only where it is one of the web', () => {
    const read = (url: string) =>
      readAsk(
        asking('elicitation/create', JSON.stringify({ mode: 'url', message: 'Sign in', url })),
      );
    expect(read('https://depot.example/sign-in?x=1')).toMatchObject({
      kind: 'url',
      href: 'https://depot.example/sign-in?x=1',
      host: 'depot.example',
    });
    for (const url of [
      'javascript:alert(1)//https://depot.example/',
      'file:///etc',
      'data:,x',
      '',
    ]) {
      expect(read(url)).toMatchObject({ kind: 'url', url, href: null });
    }
  });

  test('images of a sample are named, not loaded; long texts are cut and counted', () => {
    const ask = asking(
      'sampling/createMessage',
      JSON.stringify({
        messages: [
          { role: 'user', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } },
          { role: 'user', content: [{ type: 'text', text: 'x'.repeat(9000) }] },
          null,
        ],
      }),
    );
    expect(readAsk(ask)).toMatchObject({
      kind: 'sample',
      messages: [
        { text: '(image, image/png, 4 characters of base64, not shown)', omitted: 0 },
        { omitted: 1000 },
        { role: 'no role', text: '(no content)' },
      ],
    });
  });

  test('what was cut or is no JSON is left to raw JSON', () => {
    expect(readAsk(asking('elicitation/create', '{"message":"a', 12))).toMatchObject({
      kind: 'other',
    });
    expect(readAsk(asking('shelf/colour', null))).toEqual({ kind: 'other', params: null });
    expect(readAsk(asking('roots/list', null))).toEqual({ kind: 'roots' });
  });

  test('a person\u2019s words and folders become JSON', () => {
    expect(JSON.parse(sampleText('shelf "A"\n'))).toMatchObject({
      role: 'assistant',
      content: { type: 'text', text: 'shelf "A"\n' },
    });
    expect(JSON.parse(rootsText(' /srv/a b \n\nC:\\depot\nfile:///x'))).toEqual({
      roots: [{ uri: 'file:///srv/a%20b' }, { uri: 'file:///C:/depot' }, { uri: 'file:///x' }],
    });
    expect(rootsText(' \n')).toBe('{"roots":[]}');
  });
});

test('progress and log messages are read from their frames, numbers as written', () => {
  const frame = (seq: number, method: string, params: string) =>
    ({
      seq,
      method,
      direction: 'server-to-client',
      atNs: seq,
      text: `{"jsonrpc":"2.0","method":"${method}","params":${params}}`,
    }) as ReplayFrame;
  const frames = [
    frame(1, 'notifications/progress', '{"progress":1,"total":3}'),
    frame(2, 'notifications/message', '{"level":"warning","logger":"l","data":{"n":1.0}}'),
    frame(3, 'notifications/progress', '{"progress":2.0,"total":3,"message":"counting\\nboxes"}'),
    frame(4, 'notifications/message', `{"data":"${'x'.repeat(3000)}"}`),
  ];
  expect(latestProgress(frames)).toBe('2.0 of 3 counting boxes');
  expect(latestProgress([])).toBeNull();
  expect(readLogMessages(frames).messages).toMatchObject([
    { level: 'warning', text: 'l: {"n":1.0}', omitted: 0 },
    { level: 'no level', omitted: 1000 },
  ]);
});
