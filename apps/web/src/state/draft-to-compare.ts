import { create } from 'zustand';

interface DraftToCompare {
  /** The draft that a comparison was opened with: it lives as long as the page. */
  readonly draft: { readonly stepId: string; readonly text: string } | null;
  readonly keep: (stepId: string, text: string) => void;
}

/** Hands the text of a draft from the replay screen to a comparison. Never put into an address. */
export const useDraftToCompare = create<DraftToCompare>()((set) => ({
  draft: null,
  keep: (stepId, text) => set({ draft: { stepId, text } }),
}));
