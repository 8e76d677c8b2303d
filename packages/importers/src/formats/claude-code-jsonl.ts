import type { Importer } from '../importer.ts';
export const claudeCodeJsonl: Importer = {
  id: 'claude-code-jsonl',
  title: '',
  evidence: 'logged',
  revision: 1,
  sniff: () => 0,
  read: async () => ({ runs: [], sources: [], issues: [] }),
};
