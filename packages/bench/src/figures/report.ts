import { writeFileSync } from 'node:fs';
import { cpus, homedir, loadavg, tmpdir, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The root of the repository, from `dist` as from `src`. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

const load = loadNow();

/** Of the last minute, as the system tells it. */
export function loadNow(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

/** Writes docs/benchmarks/NAME.md with what a reader needs to judge and repeat it. */
export function writeReport(
  name: string,
  title: string,
  packages: readonly string[],
  body: readonly string[],
): void {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const lines = [
    `# ${title}`,
    '',
    `Written by \`npm run figures -- ${name}\` on ${new Date().toISOString().slice(0, 10)}. Machine: ${process.platform} ${process.arch}, ${cpus().length} cores, ${gigabytes} GB, load ${load} at the start; Node ${process.versions.node}.`,
    ...(packages.length === 0 ? [] : ['', `Packages: ${packages.join(', ')}.`]),
    '',
    ...body,
  ];
  writeFileSync(`${ROOT}docs/benchmarks/${name}.md`, `${withoutPlaces(lines.join('\n'))}\n`);
  process.stdout.write(`\n${body.join('\n')}\n\nWritten to docs/benchmarks/${name}.md\n`);
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)];
}

function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
}

/** As code in a table, whatever is in it. */
export function code(text: string): string {
  return text === '' ? '' : text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** A report tells nothing of where on a machine it was made. */
function withoutPlaces(text: string): string {
  return text
    .replaceAll(ROOT, 'MISSTEP/')
    .replaceAll(new RegExp(`${tmpdir()}/misstep-figures-\\w+`, 'g'), 'FOLDER')
    .replaceAll(homedir(), 'HOME');
}
