import { describeTarget, NO_TARGET_SETTINGS } from '@misstep/model';
import { type FormEvent, type Ref, useState } from 'react';
import { useAddTarget } from '../../api/targets.ts';
import { Button } from '../../ui/button.tsx';
import { Field, TextArea, TextInput } from '../../ui/field.tsx';
import { Segment } from '../../ui/segment.tsx';
import text from '../../ui/text.module.css';
import { ProblemLine } from '../shell/problem-notice.tsx';
import { RevisionField } from './revision-field.tsx';
import { SecretFields } from './secret-fields.tsx';
import {
  type DraftField,
  type DraftReading,
  EMPTY_DRAFT,
  readServerDraft,
  type ServerDraft,
} from './server-draft.ts';
import styles from './servers-screen.module.css';

/** Configures a server: a command with one argument a line, or a URL. */
export function AddServerForm(props: {
  formRef: Ref<HTMLFormElement>;
  onAdded: (name: string) => void;
}) {
  const add = useAddTarget();
  const [draft, setDraft] = useState<ServerDraft>(EMPTY_DRAFT);
  const [tried, setTried] = useState(false);
  const reading = readServerDraft(draft);
  const change = (changes: Partial<ServerDraft>) => {
    if (add.isError) add.reset();
    setDraft((before) => ({ ...before, ...changes }));
  };
  const problem = (field: DraftField) =>
    tried && !reading.ok ? (reading.problems[field] ?? null) : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!reading.ok || add.isPending) return;
    add.mutate(
      {
        name: reading.name,
        address: reading.address,
        protocolRevision: draft.revision,
        secrets: [...reading.secrets],
      },
      {
        onSuccess: () => {
          props.onAdded(reading.name);
          setDraft({ ...EMPTY_DRAFT, transport: draft.transport });
          setTried(false);
        },
      },
    );
  };
  return (
    <form
      ref={props.formRef}
      className={styles.form}
      aria-label="Add a server"
      onSubmit={submit}
      noValidate
    >
      <Field label="Name" error={problem('name')} note="what you pick it by when you send a call">
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.name}
            maxLength={64}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Transport" group>
        {() => (
          <Segment
            label="Transport"
            options={[
              { value: 'stdio', label: 'stdio' },
              { value: 'http', label: 'http', title: 'Streamable HTTP' },
              { value: 'sse', label: 'http+sse', title: 'HTTP+SSE of 2024-11-05' },
            ]}
            value={draft.transport}
            onChange={(transport) => change({ transport })}
          />
        )}
      </Field>
      {draft.transport === 'stdio' ? (
        <>
          <Field label="Command" error={problem('command')} note="run without a shell">
            {(ids) => (
              <TextInput
                {...ids}
                mono
                value={draft.command}
                onChange={(event) => change({ command: event.currentTarget.value })}
              />
            )}
          </Field>
          <Field label="Arguments" note="one a line, passed on as typed: no quotes, no expansion">
            {(ids) => (
              <TextArea
                {...ids}
                mono
                rows={4}
                value={draft.args}
                onChange={(event) => change({ args: event.currentTarget.value })}
              />
            )}
          </Field>
          <Field label="Folder" note="where it runs; left empty, an empty folder of its own">
            {(ids) => (
              <TextInput
                {...ids}
                mono
                value={draft.folder}
                onChange={(event) => change({ folder: event.currentTarget.value })}
              />
            )}
          </Field>
        </>
      ) : (
        <Field
          label="URL"
          error={problem('url')}
          note={
            draft.transport === 'sse' ? 'of its event stream' : 'of its Streamable HTTP endpoint'
          }
        >
          {(ids) => (
            <TextInput
              {...ids}
              mono
              inputMode="url"
              value={draft.url}
              onChange={(event) => change({ url: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
      {draft.transport === 'stdio' ? (
        <SecretFields
          kind="environment"
          drafts={draft.environment}
          onChange={(environment) => change({ environment })}
          error={problem('secrets')}
        />
      ) : (
        <SecretFields
          kind="header"
          drafts={draft.headers}
          onChange={(headers) => change({ headers })}
          error={problem('secrets')}
        />
      )}
      <RevisionField value={draft.revision} onChange={(revision) => change({ revision })} />
      <div className={styles.foot}>
        <Button type="submit" kind="primary" unavailable={add.isPending}>
          Add server
        </Button>
        {reading.ok ? (
          <span
            className={`${text.monoSmall} ${text.tertiary} ${text.ellipsis}`}
            title={describeDraft(reading)}
          >
            {describeDraft(reading)}
          </span>
        ) : null}
      </div>
      {add.isError ? (
        <div className={styles.problem}>
          <ProblemLine error={add.error} />
        </div>
      ) : null}
    </form>
  );
}

/** What will be asked to be confirmed. */
function describeDraft({ address, secrets }: Extract<DraftReading, { ok: true }>): string {
  const names = secrets.map(({ name }) => name);
  const settings = { ...NO_TARGET_SETTINGS, environmentNames: names, headerNames: names };
  return describeTarget({ address, settings });
}
