import { routes } from '@misstep/contract';
import { api } from '../api/client.ts';
import { usePreferences } from './preferences.ts';

/**
 * Where the bare address leads: to the sample run at the first visit, to the run list ever after.
 * Gives the run's id; null = the list, also where the server can't say.
 */
export async function firstRunToShow(): Promise<string | null> {
  try {
    const { demoRunId } = await api(routes.getStatus);
    const { demoRunShown, set } = usePreferences.getState();
    if (demoRunId === null || demoRunId === demoRunShown) return null;
    set({ demoRunShown: demoRunId });
    return demoRunId;
  } catch {
    // The list says what is wrong, in its place.
    return null;
  }
}
