import { type JsonDocument, type JsonNode, member, stringValue } from '@misstep/json';
import { shortened } from '@misstep/mcp';

export type Dialect = '2020-12' | 'draft-07';

/**
 * Which JSON Schema a schema is written in, by its `$schema`; without one it is 2020-12 (MCP
 * 2025-11-25, tools). `remark` says where it is taken as another than it names; a null dialect is
 * one that can't be checked.
 */
export function dialectOf(
  document: JsonDocument,
  schema: JsonNode,
): { readonly dialect: Dialect | null; readonly remark: string | null } {
  const stated = member(document, schema, '$schema');
  if (stated === undefined) return { dialect: '2020-12', remark: null };
  if (stated.kind !== 'string') return { dialect: '2020-12', remark: 'its $schema is no text' };
  const uri = stringValue(document, stated).replace(/#$/, '');
  const as = (dialect: Dialect) => `its $schema is ${shortened(uri, 100)}; checked as ${dialect}`;
  if (uri === 'https://json-schema.org/draft/2020-12/schema') {
    return { dialect: '2020-12', remark: null };
  }
  const old = /^https?:\/\/json-schema\.org\/draft-0([3467])\/(?:schema|hyper-schema)$/.exec(uri);
  if (old?.[1] === '7') return { dialect: 'draft-07', remark: null };
  if (old?.[1] === '6') return { dialect: 'draft-07', remark: as('draft-07') };
  if (old !== null) {
    return {
      dialect: null,
      remark: `its $schema is ${shortened(uri, 100)}, which is too old to check`,
    };
  }
  return { dialect: '2020-12', remark: as('2020-12') };
}
