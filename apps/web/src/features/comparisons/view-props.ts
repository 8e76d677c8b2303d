import type { Experiment } from '@misstep/model';

export interface ViewProps<Matrix> {
  readonly experiment: Experiment;
  readonly matrix: Matrix;
  readonly cursor: number;
  readonly onCursor: (row: number) => void;
}
