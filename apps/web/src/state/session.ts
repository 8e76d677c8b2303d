import { create } from 'zustand';

interface SessionState {
  /** True once the server said that this page's token is not (or no longer) right. */
  accessLost: boolean;
  loseAccess: () => void;
}

/** Whether this page may still talk to its server. */
export const useSession = create<SessionState>()((set) => ({
  accessLost: false,
  loseAccess: () => set({ accessLost: true }),
}));
