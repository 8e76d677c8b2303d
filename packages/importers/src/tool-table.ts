import type { RecordedTool } from './importer.ts';

/** Tools by server and name: the first that has a definition counts, a bare name only until one comes. */
export class ToolTable {
  readonly #tools = new Map<string, RecordedTool>();

  add(tool: RecordedTool): void {
    const key = JSON.stringify([tool.server, tool.name]);
    const known = this.#tools.get(key);
    const isBetter = known?.isNameOnly === true && tool.isNameOnly !== true;
    if (known === undefined || isBetter) this.#tools.set(key, tool);
  }

  list(): RecordedTool[] {
    return [...this.#tools.values()];
  }
}
