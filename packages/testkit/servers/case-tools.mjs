// Lists of tools that are at fault themselves, or not the ones that were recorded, by behaviour.

const SHELF = { shelf: { type: 'string' } };
const READ_ONLY = { annotations: { readOnlyHint: true } };
const COUNT = {
  type: 'object',
  properties: { count: { type: 'integer' }, shelf: { type: 'string' } },
  required: ['count'],
};

function echo(members) {
  return {
    name: 'echo',
    description: 'Gives back what it was given.',
    inputSchema: { type: 'object', properties: SHELF },
    ...READ_ONLY,
    ...members,
  };
}

const SOUND = { name: 'count_boxes', inputSchema: { type: 'object' }, ...READ_ONLY };
const STRUCTURED = [echo({ outputSchema: COUNT })];

export const CASE_TOOLS = {
  'required-unlisted': [
    echo({ inputSchema: { type: 'object', properties: SHELF, required: ['shelf', 'floor'] } }),
    SOUND,
  ],
  'root-any-of': [
    echo({
      inputSchema: {
        type: 'object',
        anyOf: [
          { properties: SHELF, required: ['shelf'] },
          { properties: { box: { type: 'integer' } }, required: ['box'] },
        ],
      },
    }),
    SOUND,
  ],
  'root-any-of-alone': [
    echo({
      inputSchema: {
        anyOf: [{ type: 'object', properties: SHELF }, { type: 'null' }],
      },
    }),
    SOUND,
  ],
  'structured-missing': STRUCTURED,
  'structured-different': STRUCTURED,
  'structured-beside-text': STRUCTURED,
  'destructive-unannotated': [
    {
      name: 'echo',
      description: 'Deletes every box of a shelf.',
      inputSchema: { type: 'object', properties: SHELF },
    },
  ],
  'description-changed': [echo({ description: 'Gives back what it was given, in capitals.' })],
};
