import { draftOfChat } from '../../chat-draft.ts';
import { fateOfMessage, readChatMessage } from '../../chat-message.ts';
import { ChatRun } from '../../chat-run.ts';
import { readUsage } from '../../chat-usage.ts';
import type { RunDraft } from '../../importer.ts';
import type { JsonView } from '../../json-view.ts';
import { REPEATED, SetAside } from '../../record-ledger.ts';
import type { ValueContext } from '../../value-source.ts';
import { classOf, isChunk, isMessage } from './message.ts';
import { bodyOf, type Chunks, messageOfChunks } from './message-chunks.ts';

const PIECE = new SetAside('a piece of a message that a later record holds whole');
const ABOUT = new SetAside('what a graph says beside a piece of a stream');

/** A message, or the pieces of one. */
interface Entry {
  readonly id: string | null;
  readonly pieces: [JsonView, ...JsonView[]];
  /** Null: a message that stood whole. */
  readonly stream: string | null;
}

/** Messages of one conversation, of which states repeat some and streams give some in pieces. */
export class MessageReader {
  readonly #context: ValueContext;
  readonly #run: ChatRun;
  readonly #seen = new Set<string>();
  /** From the first piece on, whose message may yet go on behind others. */
  readonly #held: Entry[] = [];
  readonly #streams = new Map<string, Entry>();

  constructor(context: ValueContext) {
    this.#context = context;
    this.#run = new ChatRun(context.issues);
  }

  add(item: JsonView): void {
    const { ledger } = this.#context;
    if (!isMessage(item)) {
      const isAbout = item.firstOf('langgraph_node', 'langgraph_step', 'ls_provider');
      if (isAbout !== undefined) ledger.setAside(item.origin, ABOUT);
      else ledger.notUnderstood(item.origin, 'no message of LangChain');
      return;
    }
    const id = bodyOf(item).get('id')?.text ?? null;
    if (isChunk(item)) this.#addPiece(item, id);
    else if (this.#held.length === 0) this.#take(item, id);
    else {
      // What comes behind a piece without an id ends its message.
      this.#streams.delete('');
      this.#held.push({ id, pieces: [item], stream: null });
    }
  }

  finish(sourceName: string): RunDraft[] {
    for (const [at, entry] of this.#held.entries()) {
      if (entry.stream === null) this.#take(entry.pieces[0], entry.id);
      else this.#takePieces(entry, at);
    }
    return draftOfChat(this.#run, { key: '0', client: 'LangChain', sourceName });
  }

  #addPiece(item: JsonView, id: string | null): void {
    const stream = id ?? '';
    const known = this.#streams.get(stream);
    if (known !== undefined) known.pieces.push(item);
    else {
      const entry: Entry = { id, pieces: [item], stream };
      this.#streams.set(stream, entry);
      this.#held.push(entry);
    }
    const isLast = bodyOf(item).get('chunk_position')?.text === 'last';
    if (isLast && id === null) this.#streams.delete(stream);
  }

  #takePieces({ id, pieces, stream }: Entry, at: number): void {
    const { ledger } = this.#context;
    const isWhole =
      id !== null &&
      (this.#seen.has(`assistant ${id}`) ||
        this.#held.slice(at + 1).some((each) => each.stream === null && each.id === id));
    if (stream !== null && isWhole) {
      for (const piece of pieces) ledger.setAside(piece.origin, PIECE);
      return;
    }
    for (const _piece of pieces) ledger.understood();
    const chunks: Chunks = pieces;
    const whole = messageOfChunks(chunks);
    const message = readChatMessage(whole);
    if (message === null) return;
    const [first, ...more] = pieces;
    const joined = more.length === 0 ? message : { ...message, morePlaces: more };
    this.#addToRun(joined, bodyOf(whole), id, first);
  }

  #take(item: JsonView, id: string | null): void {
    const { ledger, issues } = this.#context;
    if (item.get('type')?.text === 'remove' || /\bRemoveMessage$/.test(classOf(item))) {
      ledger.understood();
      this.#run.step(item.origin, {
        kind: 'context',
        name: 'Message removed',
        summary: id ?? '',
      });
      return;
    }
    const message = readChatMessage(item);
    if (message === null) {
      ledger.notUnderstood(item.origin, 'no message of LangChain');
      return;
    }
    // States repeat all messages.
    const key = id === null ? null : `${message.role} ${id}`;
    if (key !== null && this.#seen.has(key)) {
      issues.count(
        'REPEATED_MESSAGE',
        (count) => `${count} repeated from an earlier state, counted once.`,
        item.origin.sha256,
        item.origin.offset,
      );
      ledger.setAside(item.origin, REPEATED);
      return;
    }
    ledger.take(item.origin, fateOfMessage(message));
    if (key !== null) this.#seen.add(key);
    this.#addToRun(message, bodyOf(item), id, item);
  }

  #addToRun(
    message: NonNullable<ReturnType<typeof readChatMessage>>,
    body: JsonView,
    id: string | null,
    record: JsonView,
  ): void {
    const isAnswer = message.role === 'assistant';
    const model =
      body.at('response_metadata', 'model_name') ?? body.at('response_metadata', 'model');
    this.#run.add(message, {
      model: isAnswer ? (model?.text ?? null) : null,
      usage: isAnswer ? readUsage(body.get('usage_metadata')) : null,
      callId: isAnswer ? id : null,
      record,
    });
  }
}
