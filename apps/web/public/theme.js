// Runs before the first paint: sets a theme that the person chose, so that nothing flashes.
// It reads what src/state/preferences.ts writes. Without a choice the system decides.
try {
  const theme = JSON.parse(localStorage.getItem('misstep.preferences')).theme;
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Nothing stored, or storage is closed to this page.
}

// A page whose program is gone (built anew, or the server stopped) says so instead of staying blank.
addEventListener(
  'error',
  (event) => {
    const note = document.getElementById('not-loaded');
    if (event.target instanceof HTMLScriptElement && note !== null) note.hidden = false;
  },
  true,
);
