import type { DefinitionDrift, StepTool, ToolListCheck } from '@misstep/contract';
import type { ToolListCheck as FoundCheck, DefinitionDrift as FoundDrift } from '@misstep/replay';
import { cutText } from '../cut-text.ts';

const MOST_FAULTS = 200;
const MOST_CHANGE_BYTES = 4096;
const MOST_DEFINITION_BYTES = 1_048_576;

/** A definition's text for the page; larger ones are only measured. */
export function shownDefinition(text: string): NonNullable<StepTool['recorded']> {
  const sizeBytes = Buffer.byteLength(text);
  return { text: sizeBytes <= MOST_DEFINITION_BYTES ? text : null, sizeBytes };
}

/** As found, as far as a page shows it; what is left out is counted. */
export function shownToolList(check: FoundCheck): ToolListCheck {
  const faults = check.faults.slice(0, MOST_FAULTS);
  return { ...check, faults, faultsOmitted: check.faults.length - faults.length };
}

export function shownDrift(drift: FoundDrift): DefinitionDrift {
  return {
    ...drift,
    changes: drift.changes.map((change) => {
      const recorded = cutOrNull(change.recorded);
      const live = cutOrNull(change.live);
      return {
        ...change,
        recorded: recorded.text,
        live: live.text,
        omittedBytes: { recorded: recorded.omittedBytes, live: live.omittedBytes },
      };
    }),
  };
}

function cutOrNull(text: string | null): { text: string | null; omittedBytes: number } {
  return text === null ? { text, omittedBytes: 0 } : cutText(text, MOST_CHANGE_BYTES);
}
