/** What MCP and model interfaces call the schema of the arguments in a tool's definition. */
export const INPUT_SCHEMA_NAMES: readonly string[] = [
  'inputSchema',
  'input_schema',
  'parameters',
  'parametersJsonSchema',
  'parameters_json_schema',
];
