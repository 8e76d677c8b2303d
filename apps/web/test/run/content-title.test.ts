import { expect, it } from 'vitest';
import { contentTitle } from '../../src/features/step-panel/content-title.ts';

it('a part is headed by what the recording calls it', () => {
  const titles = [
    'gen_ai.input.messages',
    'llm.output_messages',
    'gen_ai.system_instructions',
    'traceloop.entity.input',
    'ai.prompt',
    'output',
  ].map((name) => contentTitle('other', name));
  expect(titles).toEqual([
    'Input messages',
    'Output messages',
    'System instructions',
    'Input',
    'Prompt',
    'Output',
  ]);
  expect(contentTitle('other', null)).toBe('Other content');
  expect(contentTitle('other', 'gen_ai')).toBe('Other content');
  expect(contentTitle('text', 'output')).toBe('Text');
});
