/** The run view. */
export function RunScreen() {
  return null;
}
