import { Segment } from '../../ui/segment.tsx';

/** How bytes are shown. */
export type BytesForm = 'text' | 'hex';

export function BytesSegment(props: { value: BytesForm; onChange: (form: BytesForm) => void }) {
  return (
    <Segment
      label="Bytes as"
      small
      options={[
        { value: 'text', label: 'Text' },
        { value: 'hex', label: 'Hex' },
      ]}
      value={props.value}
      onChange={props.onChange}
    />
  );
}
