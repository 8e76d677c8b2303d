import type { SecretKind } from '@misstep/model';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { emptySecret, type SecretDraft } from './secret-draft.ts';
import styles from './secret-fields.module.css';

/** Environment variables or headers as rows of a name and a value that nobody sees. */
export function SecretFields(props: {
  kind: SecretKind;
  drafts: readonly SecretDraft[];
  onChange: (drafts: readonly SecretDraft[]) => void;
  error: string | null;
}) {
  const { kind, drafts, onChange } = props;
  const noun = kind === 'environment' ? 'variable' : 'header';
  const change = (key: number, changes: Partial<SecretDraft>) =>
    onChange(drafts.map((each) => (each.key === key ? { ...each, ...changes } : each)));
  return (
    <Field
      group
      label={kind === 'environment' ? 'Environment' : 'Headers'}
      error={props.error}
      note="kept apart from everything else and never shown again"
    >
      {() => (
        // biome-ignore lint/a11y/useSemanticElements: rows of one field, laid out as a grid.
        <div
          role="group"
          aria-label={kind === 'environment' ? 'Environment' : 'Headers'}
          className={styles.rows}
        >
          {drafts.map((draft, index) => (
            <div key={draft.key} className={styles.row}>
              <TextInput
                mono
                aria-label={`Name of ${noun} ${index + 1}`}
                placeholder={kind === 'environment' ? 'NAME' : 'Authorization'}
                value={draft.name}
                onChange={(event) => change(draft.key, { name: event.currentTarget.value })}
              />
              <TextInput
                mono
                type="password"
                aria-label={`Value of ${noun} ${index + 1}`}
                placeholder="value"
                value={draft.value}
                onChange={(event) => change(draft.key, { value: event.currentTarget.value })}
              />
              <Button
                square
                kind="quiet"
                aria-label={`Leave out ${noun} ${index + 1}`}
                onClick={() => onChange(drafts.filter(({ key }) => key !== draft.key))}
              >
                <Icon name="cross" />
              </Button>
            </div>
          ))}
          <span>
            <Button small onClick={() => onChange([...drafts, emptySecret(drafts)])}>
              Add a {noun}
            </Button>
          </span>
        </div>
      )}
    </Field>
  );
}
