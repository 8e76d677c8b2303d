/** Milliseconds since the replay began, the one clock of frames and stderr. */
export function atText(atNs: number): string {
  const milliseconds = atNs / 1e6;
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
}
