import type { RunDetail } from '@misstep/contract';
import type { Citation } from '@misstep/model';
import type { RunModel } from '../run/use-run-model.ts';
import { MarkBlock } from './mark-block.tsx';
import type { MarkForm } from './mark-draft.ts';
import { MarkFormView } from './mark-form.tsx';
import { isMarkOn, type MarkSpot } from './mark-place.ts';
import type { useSetMark } from './use-mark.ts';

export interface MarkAreaProps {
  readonly run: RunDetail;
  readonly model: RunModel;
  readonly index: number;
  readonly mark: MarkSpot | null;
  readonly author: string;
  /** Null = closed. */
  readonly form: MarkForm | null;
  readonly onForm: (form: MarkForm | null) => void;
  readonly onOpenForm: () => void;
  readonly onCite: (citation: Citation) => void;
  readonly setMark: ReturnType<typeof useSetMark>;
  readonly onSelect: (index: number) => void;
}

/** The form while it is open, else what the mark says of this step. */
export function MarkArea(props: MarkAreaProps) {
  const { run, mark } = props;
  if (props.form !== null) return <MarkFormView {...props} form={props.form} />;
  if (run.mark === null || mark === null) return null;
  const concerns =
    mark.kind === 'noDeviation' || mark.kind === 'lost' || isMarkOn(mark, props.index);
  return concerns ? <MarkBlock {...props} current={run.mark} spot={mark} /> : null;
}
