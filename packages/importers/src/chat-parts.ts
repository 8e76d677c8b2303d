import type { ContentPart, Usage } from '@misstep/model';
import type { JsonView } from './json-view.ts';

/** One call that a message asks for. */
export interface ChatCall {
  readonly id: string | null;
  readonly name: string;
  /** Where the message itself names the server (an `mcp_call`); null otherwise. */
  readonly server: string | null;
  readonly arguments: JsonView | undefined;
  /** The id of an earlier entry that already asked for this call (a request for approval). */
  readonly goesOn?: string | null;
  /** Ids under which other places of the message tell the same call. */
  readonly otherIds?: readonly string[];
  /** Why the client could not make the call of what the model wrote. */
  readonly problem?: string;
  /** The call's own entry. */
  readonly place: JsonView;
}

/** What a message says that a call gave. */
export interface ChatResult {
  readonly callId: string | null;
  readonly name: string | null;
  /** Undefined where the entry holds no content. */
  readonly content: JsonView | undefined;
  /** Null where the format has no flag. */
  readonly isError: boolean | null;
  /** A person or the client refused the call. */
  readonly refused: boolean;
  /** Why it failed, where the format says so beside the content. */
  readonly reason?: string;
  readonly place: JsonView;
}

export interface ChatPart {
  readonly kind: ContentPart['kind'];
  readonly place: JsonView;
  /** Text for the summary; null where the part has none to show. */
  readonly text: string | null;
  /** Hidden on purpose by whoever wrote the source (encrypted or removed reasoning). */
  readonly redacted: boolean;
}

export type ChatRole = 'system' | 'user' | 'assistant' | 'tool' | 'other';

/** A message of any of the chat dialects, taken apart. */
export interface ChatMessage {
  readonly role: ChatRole;
  /** The role as written, or the speaker's name where the format gives one. */
  readonly speaker: string | null;
  readonly parts: ChatPart[];
  readonly calls: ChatCall[];
  readonly results: ChatResult[];
  /** Definitions of tools that the message lists (`mcp_list_tools`). */
  readonly tools: { readonly server: string | null; readonly place: JsonView }[];
  readonly place: JsonView;
  /** Further entries of the source that belong to the same message. */
  readonly morePlaces?: readonly JsonView[];
  /** What the API said with it, where a whole answer stands among messages. */
  readonly stated?: StatedAnswer;
}

export interface StatedAnswer {
  readonly model: string | null;
  readonly usage: Usage | null;
  readonly recordedCostUsd: string | null;
  /** The answer's own id. */
  readonly callId: string | null;
}
