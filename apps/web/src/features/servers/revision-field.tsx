import { PROTOCOL_REVISIONS, type TargetSettings } from '@misstep/model';
import { Field, SelectInput } from '../../ui/field.tsx';
import styles from './secret-fields.module.css';

type Revision = TargetSettings['protocolRevision'];

/** Which revision of the specification is spoken: negotiated, or the one that the person forces. */
export function RevisionField(props: { value: Revision; onChange: (value: Revision) => void }) {
  return (
    <Field label="Revision">
      {(ids) => (
        <SelectInput
          {...ids}
          className={styles.select}
          value={props.value}
          onChange={(event) => {
            const given = event.currentTarget.value;
            props.onChange(PROTOCOL_REVISIONS.find((each) => each === given) ?? 'auto');
          }}
        >
          <option value="auto">negotiated with the server</option>
          {PROTOCOL_REVISIONS.map((revision) => (
            <option key={revision} value={revision}>
              {revision} only
            </option>
          ))}
        </SelectInput>
      )}
    </Field>
  );
}
