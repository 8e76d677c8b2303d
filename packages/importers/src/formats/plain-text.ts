import type { Importer } from '../importer.ts';
export const plainText: Importer = {
  id: 'plain-text',
  title: '',
  evidence: 'logged',
  revision: 1,
  sniff: () => 0,
  read: async () => ({ runs: [], sources: [], issues: [] }),
};
