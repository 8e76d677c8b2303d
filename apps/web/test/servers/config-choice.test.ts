import type { ConfigEntry, TargetConfig } from '@misstep/contract';
import { TargetNameSchema } from '@misstep/model';
import { describe, expect, it } from 'vitest';
import {
  askedPlaceholders,
  choiceProblem,
  NO_CHOICE,
  readChoice,
} from '../../src/features/servers/config-choice.ts';

const entry = (index: number, placeholders: ConfigEntry['placeholders'] = []): ConfigEntry => ({
  index,
  entry: `key ${index}`,
  list: '/mcpServers',
  suggestedName: TargetNameSchema.parse(`server-${index}`),
  address: { transport: 'stdio', command: 'x', args: [], cwd: null },
  description: 'x',
  environment: [],
  headers: [],
  placeholders,
  disabled: false,
  issues: [],
});
const placeholder = (name: string, isNeeded: boolean) => ({
  name,
  label: null,
  isPassword: false,
  hasDefault: false,
  isNeeded,
});
const config: TargetConfig = {
  form: 'json',
  issues: [],
  entries: [
    entry(0, [placeholder('key', false), placeholder('root', true)]),
    entry(1, [placeholder('key', true)]),
    entry(2),
  ],
};
const picked = (...indexes: number[]) => ({ ...NO_CHOICE, picked: new Set(indexes) });

describe('a choice of servers', () => {
  it('asks for the placeholders of what is picked, needed ones first', () => {
    const names = (...indexes: number[]) =>
      askedPlaceholders(config, picked(...indexes)).map(({ name, isNeeded }) => [name, isNeeded]);
    expect(names(2)).toEqual([]);
    expect(names(0)).toEqual([
      ['root', true],
      ['key', false],
    ]);
    expect(names(0, 1)).toEqual([
      ['key', true],
      ['root', true],
    ]);
  });

  it('says what stands in its way', () => {
    expect(choiceProblem(config, NO_CHOICE, [])).toBe('Choose the servers to keep.');
    expect(choiceProblem(config, picked(2), [])).toBeNull();
    expect(choiceProblem(config, picked(2), ['server-2'])).toContain('another name');
    expect(choiceProblem(config, picked(0), [])).toContain('root');
    const named = { ...picked(1, 2), names: new Map([[2, 'server-1']]) };
    expect(choiceProblem(config, named, [])).toContain('another name');
    expect(choiceProblem(config, { ...picked(2), names: new Map([[2, '-']]) }, [])).toContain(
      'no name',
    );
  });

  it('sends names and the values that stand there', () => {
    const values = new Map([
      ['root', '/srv'],
      ['key', ''],
    ]);
    expect(readChoice(config, { ...picked(0, 2), names: new Map([[0, 'mine']]), values })).toEqual({
      picks: [
        { index: 0, name: 'mine' },
        { index: 2, name: 'server-2' },
      ],
      values: [{ name: 'root', value: '/srv' }],
    });
  });
});
