import type { TargetView } from '@misstep/contract';
import { Field } from '../../ui/field.tsx';
import { Segment } from '../../ui/segment.tsx';

const OPTIONS = [
  { value: 'refuse', label: 'refuse' },
  { value: 'send', label: 'send it anyway', title: 'A call that no such client makes' },
] as const;

/** The rule is one of HTTP alone (MCP 2026-07-28): over stdio no tool is left out by it. */
export function mayLeaveOut(target: TargetView | null | undefined): boolean {
  return target != null && target.address.transport !== 'stdio';
}

/** What is done where a conforming client would leave the tool out by its x-mcp-header. */
export function LeftOutField(props: { sends: boolean; onChange: (sends: boolean) => void }) {
  return (
    <Field
      label="If left out"
      group
      note="A client leaves a tool out whose x-mcp-header annotation is at fault, and never calls it."
    >
      {() => (
        <Segment
          label="A tool that clients leave out"
          options={OPTIONS}
          value={props.sends ? 'send' : 'refuse'}
          onChange={(value) => props.onChange(value === 'send')}
        />
      )}
    </Field>
  );
}
