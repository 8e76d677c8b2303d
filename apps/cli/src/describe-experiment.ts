import { type Experiment, isWholeHash, shortHash } from '@misstep/model';
import { experimentTable } from '@misstep/server';
import { formatTable } from './terminal/table.ts';
import { shorten } from './terminal/visible.ts';

/** One line of `--json` for an experiment, however it was asked for. */
export function experimentLine(experiment: Experiment) {
  return { kind: experiment.plan.kind, ending: experiment.state, ...experiment };
}

/** What came of it, for a terminal: a whole result's hash by the digits that name it in sentences. */
export function experimentRows(experiment: Experiment): string {
  const { matrix } = experiment;
  const { head, rows } = experimentTable(experiment);
  const isHash =
    (matrix.kind === 'attribute' || matrix.kind === 'boundary') && matrix.signatureText === 'hash';
  const at = isHash ? head.lastIndexOf('outcome') : -1;
  const cells = rows.map((row) =>
    row.map((cell, index) =>
      index === at && isWholeHash(cell) ? `result ${shortHash(cell)}` : shorten(cell, 60),
    ),
  );
  return formatTable([head.map((cell) => shorten(cell, 30)), ...cells]);
}
