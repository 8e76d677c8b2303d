/** A line that must not be published: it speaks of one person's machine, or of a half-done merge. */
export interface Slip {
  file: string;
  line: number;
  why: string;
}

interface Rule {
  why: string;
  pattern: RegExp;
  appliesTo: (file: string) => boolean;
}

const everywhere = () => true;

/** Samples and tests speak of invented people, whose home folders are part of the story. */
const isInvented = (file: string) => /(^|\/)(fixtures|samples|test|e2e)\/|\.test\.tsx?$/.test(file);

const isSetUp = (file: string) =>
  !isInvented(file) &&
  (/^(scripts|\.ci|\.github)\//.test(file) ||
    /(^|\/)(package\.json|pnpm-[^/]*\.yaml|\.npmrc)$/.test(file));

// What may stand before an absolute path, so that a part of a URL or of a longer path is none.
const pathStart = '(?:^|[\\s"\'`=(,:;<>[{|]|file://)';

// Folders where machines that build and develop keep their checkouts. Joined here, so that this
// file is not its own finding.
const checkoutRoots = ['work', 'workspaces', 'builds', 'runner'].join('|');

const rules: readonly Rule[] = [
  {
    why: 'a path of one machine',
    pattern: new RegExp(`${pathStart}/(?:${checkoutRoots})/`, 'm'),
    appliesTo: everywhere,
  },
  {
    why: 'a home folder',
    pattern: new RegExp(`${pathStart}/(?:home|Users)/[A-Za-z0-9._-]+/`, 'm'),
    appliesTo: (file) => !isInvented(file),
  },
  {
    why: 'a package registry or mirror by its address; configuration of the machine says which one',
    pattern: /https?:\/\/[^\s/"']*(?:registry|nexus|artifactory|verdaccio|mirror)[^\s"']*/i,
    appliesTo: isSetUp,
  },
  {
    why: 'a fixed address to fetch a package from',
    pattern: /^\s*(?:resolution:.*)?tarball: *["']?https?:/m,
    appliesTo: (file) => file.endsWith('pnpm-lock.yaml'),
  },
  {
    why: 'a conflict marker',
    pattern: /^(?:<{7}|>{7}|\|{7})(?: |$)/m,
    appliesTo: everywhere,
  },
];

/** Looks through one text file. */
export function findSlips(file: string, text: string): Slip[] {
  const wanted = rules.filter((rule) => rule.appliesTo(file));
  // Most files are clean: one look at the whole text spares a look at every line.
  if (!wanted.some((rule) => rule.pattern.test(text))) return [];
  return text
    .split('\n')
    .flatMap((content, index) =>
      wanted
        .filter((rule) => rule.pattern.test(content))
        .map((rule) => ({ file, line: index + 1, why: rule.why })),
    );
}
