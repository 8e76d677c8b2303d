import type { StepDetail } from '@misstep/contract';
import type { ExperimentPlan } from '@misstep/model';
import { useTargets } from '../../api/targets.ts';
import { Field, SelectInput, TextInput } from '../../ui/field.tsx';
import { PanelHead } from '../../ui/panel-head.tsx';
import { Segment } from '../../ui/segment.tsx';
import { LeftOutField, mayLeaveOut } from '../replay/left-out-field.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import { CallField } from './call-field.tsx';
import { CallsSideBySide } from './calls-side-by-side.tsx';
import styles from './experiment.module.css';
import { NumberField } from './number-field.tsx';
import setupStyles from './setup.module.css';
import { type Setup, type SignatureKind, withStepB } from './setup-model.ts';
import { StepField } from './step-field.tsx';

const QUESTIONS = [
  { value: 'repeat', label: 'Does it hold still?', title: 'The same call several times' },
  {
    value: 'attribute',
    label: 'Which argument did it?',
    title: 'Two calls, one argument at a time',
  },
  {
    value: 'boundary',
    label: 'Where does it change?',
    title: 'One argument between two values',
  },
  { value: 'race', label: 'Are answers crossed?', title: 'Several calls at once' },
] as const;

const SIGNATURES = [
  { value: 'hash', label: 'the whole result' },
  { value: 'count', label: 'a number of items' },
  { value: 'value', label: 'one value' },
  { value: 'error', label: 'error or not' },
] as const;

interface Props {
  readonly step: StepDetail;
  readonly setup: Setup;
  readonly onChange: (setup: Setup) => void;
  readonly plan: ExperimentPlan | null;
}

/** The question, the calls, and by what outcomes are called the same. */
export function SetupForm(props: Props) {
  const { step, setup, plan } = props;
  const change = (part: Partial<Setup>) => props.onChange({ ...setup, ...part });
  const targets = useTargets().data?.targets ?? [];
  return (
    <div className={styles.scroll}>
      <PanelHead title="What to find out" />
      <div className={setupStyles.form}>
        <Field label="Question" group>
          {() => (
            <Segment
              label="Question"
              options={QUESTIONS}
              value={setup.kind}
              onChange={(kind) => change({ kind })}
            />
          )}
        </Field>
        <Field label="Server">
          {(ids) => (
            <SelectInput
              {...ids}
              value={setup.targetName}
              onChange={(event) => change({ targetName: event.currentTarget.value })}
            >
              {targets.some(({ name }) => name === setup.targetName) ||
              setup.targetName === '' ? null : (
                <option value={setup.targetName}>
                  {`${visibleLine(setup.targetName)} (not configured)`}
                </option>
              )}
              {targets.map(({ name, confirmedAt }) => (
                <option key={name} value={name}>
                  {confirmedAt === null ? `${name} (not confirmed)` : name}
                </option>
              ))}
            </SelectInput>
          )}
        </Field>
        <CallField {...props} side="a" label={setup.kind === 'repeat' ? 'Call' : 'Call A'} />
        {setup.kind === 'repeat' ? null : (
          <>
            <CallField {...props} side="b" label="Call B" />
            <StepField
              step={step}
              value={setup.stepIdB}
              onChange={(stepIdB) => props.onChange(withStepB(setup, stepIdB))}
            />
          </>
        )}
        {setup.kind === 'repeat' ? (
          <NumberField
            label="Times"
            value={setup.times}
            least={2}
            most={100}
            onChange={(times) => change({ times })}
          />
        ) : null}
        {setup.kind === 'race' ? (
          <>
            <NumberField
              label="At once"
              value={setup.atOnce}
              least={2}
              most={50}
              onChange={(atOnce) => change({ atOnce })}
            />
            <Field label="Connections" group>
              {() => (
                <Segment
                  label="Connections"
                  options={[
                    { value: 'one', label: 'all on one' },
                    { value: 'each', label: 'one each' },
                  ]}
                  value={setup.connections}
                  onChange={(connections) => change({ connections })}
                />
              )}
            </Field>
          </>
        ) : null}
        {setup.kind === 'boundary' ? (
          <Field label="Argument" note="Goes from A’s value to B’s; the others stay as A has them.">
            {(ids) => (
              <TextInput
                {...ids}
                mono
                value={setup.argument}
                onChange={(event) => change({ argument: event.currentTarget.value })}
              />
            )}
          </Field>
        ) : null}
        {setup.kind === 'attribute' || setup.kind === 'boundary' ? (
          <SignatureFields {...props} change={change} />
        ) : null}
        <NumberField
          label="Gap, ms"
          note="From the start of one call to the start of the next, at least."
          value={setup.gapMs}
          least={200}
          most={60_000}
          onChange={(gapMs) => change({ gapMs })}
        />
        {mayLeaveOut(targets.find(({ name }) => name === setup.targetName)) ? (
          <LeftOutField
            sends={setup.sendsLeftOut}
            onChange={(sendsLeftOut) => change({ sendsLeftOut })}
          />
        ) : null}
      </div>
      {plan === null ? null : <CallsSideBySide plan={plan} />}
    </div>
  );
}

function SignatureFields(props: Props & { change: (part: Partial<Setup>) => void }) {
  const { setup, change, plan } = props;
  const isList = setup.signature === 'count';
  const places = (plan?.places ?? []).filter(({ kind }) => !isList || kind === 'list');
  return (
    <>
      <Field
        label="Outcome by"
        group
        note="By this two answers are called the same. Numbers are compared as written."
      >
        {() => (
          <Segment<SignatureKind>
            label="Outcome by"
            options={SIGNATURES}
            value={setup.signature}
            onChange={(signature) => change({ signature, isWholeGiven: false })}
          />
        )}
      </Field>
      {setup.signature === 'count' || setup.signature === 'value' ? (
        <Field
          label="Where"
          note={places.length === 0 ? 'A JSON Pointer into the result or its text.' : undefined}
        >
          {(ids) => (
            <>
              <TextInput
                {...ids}
                mono
                list="experiment-places"
                placeholder={
                  setup.isWholeGiven ? 'the whole result' : (places[0]?.pointer ?? '/items')
                }
                value={setup.pointer}
                onChange={(event) =>
                  change({ pointer: event.currentTarget.value, isWholeGiven: false })
                }
              />
              <datalist id="experiment-places">
                {places.map(({ pointer, words }) => (
                  <option key={pointer} value={pointer}>
                    {visibleLine(words)}
                  </option>
                ))}
              </datalist>
            </>
          )}
        </Field>
      ) : null}
      {setup.signature === 'hash' ? (
        <Field
          label="Left out"
          note="What moves between calls of the same arguments is left out by itself, and named."
        >
          {(ids) => (
            <TextInput
              {...ids}
              mono
              placeholder="/as_of /cursor"
              value={setup.ignored}
              onChange={(event) =>
                change({ ignored: event.currentTarget.value, givenIgnored: null })
              }
            />
          )}
        </Field>
      ) : null}
      {setup.kind === 'boundary' ? (
        <NumberField
          label="Elsewhere"
          note="Values tried in the widest gaps at the end: nothing says that it changes only once."
          value={setup.elsewhere}
          least={0}
          most={20}
          onChange={(elsewhere) => change({ elsewhere })}
        />
      ) : (
        <NumberField
          label="Repeats"
          note="Of every combination, each time in another order; A and B twice before, as a check."
          value={setup.repeats}
          least={2}
          most={20}
          onChange={(repeats) => change({ repeats })}
        />
      )}
    </>
  );
}
