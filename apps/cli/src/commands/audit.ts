import { AUDIT_FIELDS, type AuditedQuestion } from '@misstep/model';
import { type Command, takePositionals } from '../command.ts';
import { findRun } from '../find-run.ts';
import { writeJson, writeWords } from '../terminal/terminal.ts';

export const auditCommand: Command = {
  name: 'audit',
  summary: 'Say which of seven questions the recording of a run can answer.',
  usage: 'RUN',
  options: {},
  async run(input) {
    const { terminal, json } = input;
    const [given = ''] = takePositionals(input, 'RUN');
    const services = await input.services();
    const audit = await services.steps.audit(await findRun(services, given));
    if (json) writeJson(terminal, audit);
    else writeWords(terminal, audit.questions.map(paragraphOf).join('\n'));
    return 0;
  },
};

function paragraphOf({ question, answer, sentence, missing }: AuditedQuestion): string {
  const lines = [`${answer.padEnd(8)}  ${question}`, `          ${sentence}`];
  for (const field of missing) lines.push(`          missing: ${AUDIT_FIELDS[field]} (${field})`);
  return lines.map((line) => `${line}\n`).join('');
}
