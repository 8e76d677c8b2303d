import { z } from 'zod';
import { create } from 'zustand';

const STORAGE_KEY = 'misstep.preferences';

const PreferencesSchema = z.object({
  /** `system` follows the operating system. public/theme.js reads it before the first paint. */
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  savedFilters: z.array(z.string()).catch([]),
  /** Columns of the run list that the person hid. */
  hiddenRunColumns: z.array(z.string()).catch([]),
  /** The sample run that this browser was shown at its first visit; null = none yet. */
  demoRunShown: z.string().nullable().catch(null),
  /** Idle gaps of a run drawn at their length. */
  idleToScale: z.boolean().catch(false),
});
export type Preferences = z.infer<typeof PreferencesSchema>;
export type Theme = Preferences['theme'];

interface PreferencesState extends Preferences {
  set: (changes: Partial<Preferences>) => void;
}

/** What this browser remembers. The only place that touches localStorage. */
export const usePreferences = create<PreferencesState>()((set, get) => ({
  ...read(),
  set: (changes) => {
    set(changes);
    write(PreferencesSchema.parse(get()));
    if (changes.theme !== undefined) showTheme(changes.theme);
  },
}));

function read(): Preferences {
  let stored: unknown = {};
  try {
    stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
  } catch {
    // Storage closed to this page or damaged: the defaults stand.
  }
  const parsed = PreferencesSchema.safeParse(stored);
  return parsed.success ? parsed.data : PreferencesSchema.parse({});
}

function write(preferences: Preferences): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences));
  } catch {
    // Without storage the choice holds until the page is closed.
  }
}

function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
