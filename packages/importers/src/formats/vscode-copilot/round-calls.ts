import type { JsonPlace } from '../../json-place.ts';

/** A call as the model made it, with its result: it has another id than what the screen shows. */
export interface RoundCall {
  readonly call: JsonPlace;
  readonly result: JsonPlace;
  taken: boolean;
}

export function roundCallsOf(metadata: JsonPlace): RoundCall[] {
  const results = metadata.get('toolCallResults');
  const byId = results.entries();
  return metadata
    .get('toolCallRounds')
    .items()
    .flatMap((round) => round.get('toolCalls').items())
    .map((call) => ({
      call,
      result: byId.get(call.get('id').text() ?? '') ?? results.get(''),
      taken: false,
    }));
}

/** The call of a round that the screen shows so: by its id where both have it, else by name and order. */
export function takeRoundCall(part: JsonPlace, calls: readonly RoundCall[]): RoundCall | undefined {
  const id = part.get('toolCallId').text() ?? '';
  const name = plainName(part.get('toolId').text() ?? '');
  const free = calls.filter(({ taken }) => !taken);
  const found =
    free.find(({ call }) => id !== '' && sameId(call.get('id').text() ?? '', id)) ??
    free.find(({ call }) => plainName(call.get('name').text() ?? '') === name);
  if (found !== undefined) found.taken = true;
  return found;
}

const sameId = (made: string, shown: string): boolean =>
  made === shown || made.startsWith(`${shown}__vscode`);

/** Tools that the model knows by another name than the screen. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['editnotebook', 'editnotebookfile'],
  ['fetchwebpageinternal', 'fetchwebpage'],
  ['findfiles', 'filesearch'],
  ['findtestfiles', 'testsearch'],
  ['findtextinfiles', 'grepsearch'],
  ['insertedit', 'inserteditintofile'],
  ['listdirectory', 'listdir'],
  ['multireplacestring', 'multireplacestringinfile'],
  ['replacestring', 'replacestringinfile'],
  ['searchcodebase', 'semanticsearch'],
]);

/** `copilot_readFile` on the screen is `read_file` for the model. */
function plainName(name: string): string {
  const plain = name
    .replace(/^(?:copilot|vscode)_/, '')
    .replace(/[^0-9a-z]/gi, '')
    .toLowerCase();
  return OTHER_NAMES.get(plain) ?? plain;
}
