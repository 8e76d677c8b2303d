import { type JsonDocument, parseJson } from '@misstep/json';
import { MisstepError } from '@misstep/model';
import { parse as parseToml, TomlError } from 'smol-toml';
import { type AskedInput, type FoundServer, findInputs, findServers } from './find-servers.ts';
import { stripJsonc } from './strip-jsonc.ts';

const MAX_TEXT_LENGTH = 16_777_216;
const MAX_SERVERS = 500;

export interface ConfigReading {
  readonly form: 'json' | 'toml';
  readonly document: JsonDocument;
  readonly servers: readonly FoundServer[];
  readonly inputs: ReadonlyMap<string, AskedInput>;
  readonly omitted: number;
}

/**
 * A configuration's text to its servers: JSON as editors keep it, or TOML. CONFIG_UNREADABLE says
 * where, and quotes nothing of a text that may hold secrets.
 */
export function readConfig(text: string): ConfigReading {
  if (text.length > MAX_TEXT_LENGTH) {
    throw unreadable(`The file has more than ${MAX_TEXT_LENGTH} characters.`);
  }
  if (text.trim() === '') throw unreadable('The file is empty.');
  const looksLikeJson = /^[\ufeff\s]*(?:\{|\/[/*])/.test(text);
  const { form, document } = looksLikeJson ? readJson(text) : readToml(text);
  const servers = findServers(document);
  if (servers.length === 0) {
    throw unreadable(
      'No servers stand in it under mcpServers, servers, mcp, mcp.servers, mcp_servers or context_servers.',
    );
  }
  return {
    form,
    document,
    servers: servers.slice(0, MAX_SERVERS),
    inputs: findInputs(document),
    omitted: Math.max(0, servers.length - MAX_SERVERS),
  };
}

function readJson(text: string): { form: 'json'; document: JsonDocument } {
  const parsed = parseJson(stripJsonc(text));
  if (parsed.ok) return { form: 'json', document: parsed.value };
  const { line, column } = parsed.error;
  throw unreadable(`It is no JSON: something is wrong at line ${line}, column ${column}.`, {
    line,
    column,
  });
}

/** By way of JSON, so that one reader serves both; TOML has no key that JSON lacks. */
function readToml(text: string): { form: 'toml'; document: JsonDocument } {
  let json: string;
  try {
    json = JSON.stringify(parseToml(text));
  } catch (error) {
    // The parser's own message shows the lines around the place.
    if (!(error instanceof TomlError)) throw unreadable('It is neither JSON nor TOML.');
    const { line, column } = error;
    throw unreadable(
      `It is neither JSON nor TOML: as TOML something is wrong at line ${line}, column ${column}.`,
      { line, column },
    );
  }
  const parsed = parseJson(json);
  if (!parsed.ok) throw unreadable('It is neither JSON nor TOML.');
  return { form: 'toml', document: parsed.value };
}

function unreadable(
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): MisstepError {
  return new MisstepError('CONFIG_UNREADABLE', message, details);
}
