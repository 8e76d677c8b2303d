import { ERROR_CATALOGUE } from './errors.ts';

const NOTHING = 'Nothing to do';

/**
 * What a person can do about each issue that an import can come to, in a sentence or two; the pages of
 * docs/formats say what it means. A test holds the table against the codes that the sources raise.
 */
export const ISSUE_ADVICE = {
  // Texts and documents
  UTF16_SOURCE: `${NOTHING}: it is read as the same text in UTF-8.`,
  INVALID_UTF8:
    'Ask for the file in UTF-8 where a text matters; its bytes stay as they are, and the Evidence tab leads to them.',
  TEXT_BEFORE_JSON: `${NOTHING} if those lines are a command's own words; else look at them.`,
  NUMBER_NOT_JSON:
    'Let the sender write null, or the number as a string: a client in JavaScript reads none of it.',
  CUT_TAIL: 'Copy or export it again once its writer has stopped, and import it again.',
  DOCUMENT_TOO_LARGE: 'Split it by session or trace, or write an entry a line (`jq -c ".[]"`).',
  LINE_TOO_LONG: 'Let the client keep such results in files of their own, where it can.',
  // Times and pairs
  CLOCK_MIXED: 'Import what was joined from two recorders by itself.',
  TIME_MISSING: `${NOTHING}: those steps stand in the order of the file.`,
  TIME_UNREADABLE:
    'Look at the text of the time: a clock or an exporter is at fault. The order is kept.',
  TIME_BACKWARDS: 'Look whether two logs were joined, or a clock was set.',
  END_BEFORE_START: 'Don’t reason from durations there, and set the clocks of what recorded them.',
  CONTINUATION_INFERRED: 'Check that they belong together before you rest a mark on it.',
  PAIRING_DERIVED: 'Check a pair of call and result before you rest a mark on it.',
  DUPLICATE_RECORDS: `${NOTHING}: they count once.`,
  DUPLICATE_RESULT:
    'Compare the results: the first counts, the others are on the step’s Evidence tab.',
  ZERO_COST: 'Give the model a price of your own.',
  RESULT_WITHOUT_CALL: 'Import what came before it as well.',
  RESULT_TRAILING_TEXT: 'Look whether the text behind the result belongs to it.',
  RESULT_QUOTES_CHANGED: 'Ask for the text as a file: a mail program or an editor changed it.',
  CALL_TRAILING_TEXT: 'Look whether the text behind the arguments belongs to them.',
  ARGUMENTS_NOT_JSON: 'Write the arguments as JSON yourself before a replay.',
  ARGUMENTS_WRAPPED:
    'Compare the arguments with the text on the Evidence tab, or import the session’s own file.',
  SEVERAL_CHOICES: 'Read the parts of those answers as alternatives: one of them went on.',
  BRANCHES_LEFT_OUT: 'Open the conversation in its service to see the branches.',
  // HTTP, packets and MCP messages
  REQUEST_CUT: 'Record bodies whole; without them those calls are not known.',
  REQUESTS_NOT_RECORDED:
    'Read it beside a transcript, or record both directions with another recorder.',
  DIRECTION_INFERRED: 'Check the direction of a frame before you rest a mark on it.',
  REDIRECT_FOLLOWED: `${NOTHING}: give the client the address itself, and it asks once.`,
  STREAM_BROKE_OFF:
    'Look whether the client gave up, the connection broke, or the recorder stopped.',
  REQUEST_NOT_SHOWN: 'Paste the command with its output, or record with a proxy.',
  EVENT_CUT: 'Record bodies whole; capture without losing packets.',
  BATCH_PART_NOT_READ: 'Look at the part: its sender breaks the protocol.',
  BODIES_NOT_IN_FILE: 'Save the archive with its contents inside, and import it again.',
  PACKED_BODY_NOT_READ: 'Record again with answers that are not packed.',
  WEBSOCKET_NOT_READ: `${NOTHING}: MCP doesn’t use WebSocket.`,
  MOJIBAKE_REPAIRED: `${NOTHING}: the recorder’s error was undone exactly.`,
  CAPTURE_ENCRYPTED: 'Capture behind the TLS, or record with a proxy.',
  CAPTURE_GAPS:
    'Capture on the machine itself, before the client connects, with a larger buffer (`-B`).',
  HTTP2_NOT_READ: 'Let the client speak HTTP/1.1, or record with a proxy.',
  PACKETS_CUT: 'Capture whole packets (`-s 0`).',
  SENT_AGAIN_DIFFERENTLY:
    'Look at the packets: the network is broken, or two interfaces were captured.',
  IDS_NORMALISED:
    'Import the transcript from before it was normalised: ids and times of this one prove nothing.',
  FRAME_LOG_DAMAGED: `${NOTHING} where only its end is cut; else the file was changed after it was recorded.`,
  // Sessions in several files
  BEGINS_ELSEWHERE: 'Import the earlier file to read what came before.',
  CONTINUED_ELSEWHERE: 'Import the file that it names as well: both become one run.',
  COMPANION_WITHOUT_MAIN: 'Import the session’s file as well: both become one run.',
  COPIED_CONTEXT: `${NOTHING}: they count once; the file before this one shows them.`,
  COPIED_TURNS: 'Import the session that it was forked from to see them.',
  COPIES_INFERRED: `${NOTHING} unless it matters whether the fork really copied them: then compare the files.`,
  USAGE_DIFFERS:
    'Compare the records: one of the files was written while the answer still streamed.',
  CALL_REPEATED: `${NOTHING}: the call counts once.`,
  SUBAGENT_LINK_INFERRED: 'Check the place in the tree before you rest a mark on it.',
  SUBAGENT_UNLINKED: 'Import the session’s other files: the call may stand in one of them.',
  UUID_REUSED: 'Compare with the original: somebody edited or joined files.',
  VIEWS_MATCHED_BY_ORDER:
    'Compare a step with both its places on the Evidence tab before you rest a mark on its time or tokens.',
  REPEATED_MESSAGE: `${NOTHING}: they count once.`,
  DEMONSTRATION_LEFT_OUT: `${NOTHING}: a demonstration is no part of the run.`,
  CALLS_COLLAPSED: 'Unfold the calls before you copy, or import the session’s own file.',
  CONTENT_ELSEWHERE: 'Export the runs with their inputs and outputs, and import them again.',
  // Traces
  PARENT_MISSING: 'Import all files of the trace together; sampling may have left spans out.',
  PARENT_CYCLE: 'Look whether the file was edited; else its exporter is at fault.',
  DUPLICATE_SPAN: `${NOTHING}: it counts once.`,
  DUPLICATE_SPAN_ID: 'Look which of the spans its parents and children mean.',
  SPAN_REVISED: `${NOTHING}: the last telling is shown, the bytes of all stay with the step.`,
  SPAN_ONLY_LOGGED: 'Export spans as well as logs.',
  ID_LENGTH: 'Look what wrote or edited the ids: a parent may be missing because of them.',
  CALL_ID_INFERRED: 'Compare the arguments of call and message before you rest a mark on it.',
  CALL_NOT_TRACED: 'Import the whole trace, and have tools traced.',
  DROPPED_BY_EXPORTER:
    'Raise the exporter’s limits (`OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT`, `OTEL_SPAN_EVENT_COUNT_LIMIT`).',
  UNKNOWN_FIELDS: `${NOTHING}: what is known was read.`,
  OTHER_TRACES: `${NOTHING}: each trace has a run of its own.`,
  OTHER_TRACES_LOGS: `${NOTHING}: they belong to other traces, or to none.`,
  JOURNAL_DAMAGED: `${NOTHING}: what was not acknowledged the exporter sends again.`,
  // Databases
  DATABASE_LOG_NOT_READ: 'If there is a `-wal` file beside it, import both together.',
  DATABASE_LOG_REFUSED: 'Copy the database and its log again, at the same time.',
  DATABASE_LOG_UNFINISHED: 'Copy both again once the program is closed.',
  DATABASE_LOG_DAMAGED: 'Copy both again once the program is closed.',
  DATABASE_DAMAGED: 'Copy it again once the program is closed.',
  THREAD_NOT_UNPACKED: 'Close Zed and copy the database again, with its `-wal`.',
  MESSAGE_MISSING: 'Import the `-wal` file with it; what the program deleted is gone.',
  CHATS_IN_FILES: 'Import the files in `chatSessions` too.',
  // The import itself
  NO_RUN: `${NOTHING}: no session began in it. If it is of another format, read it as that.`,
  LEFT_ASIDE: `${NOTHING}; it can be read as a format all the same, in its row or with \`--format\`.`,
  LONGER_COPY_KNOWN: `${NOTHING}: the longer copy stands for it.`,
  PART_KEPT: 'Mark the whole, then delete the part: until then both list what it holds.',
  RECORDS_OMITTED: 'Look at the run’s own lists, which hold all of them.',
  ISSUES_OMITTED: 'Look at the run’s own lists, which hold all of them.',
  RECORD_MALFORMED: 'Look at its bytes, and ask who wrote the file.',
  RECORD_NOT_UNDERSTOOD: 'Look at its bytes; if it matters, report the format.',
  CONTAINER_DAMAGED: 'Pack or copy the archive again: what could be unpacked was read.',
  ENTRIES_OMITTED: 'Unpack the archive and import its files.',
  ENTRY_SIZE_WRONG: `${NOTHING} where the entry reads well; else pack the archive again.`,
} as const satisfies Record<string, string>;

/** Failures have their next step in the catalogue; what nobody wrote one for says nothing. */
export function adviceOn(code: string): string | null {
  if (Object.hasOwn(ISSUE_ADVICE, code)) {
    // The line above has looked.
    return ISSUE_ADVICE[code as keyof typeof ISSUE_ADVICE];
  }
  if (!Object.hasOwn(ERROR_CATALOGUE, code)) return null;
  return ERROR_CATALOGUE[code as keyof typeof ERROR_CATALOGUE].hint;
}
