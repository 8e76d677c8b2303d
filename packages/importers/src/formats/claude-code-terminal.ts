import type { Importer } from '../importer.ts';
export const claudeCodeTerminal: Importer = {
  id: 'claude-code-terminal',
  title: '',
  evidence: 'logged',
  revision: 1,
  sniff: () => 0,
  read: async () => ({ runs: [], sources: [], issues: [] }),
};
