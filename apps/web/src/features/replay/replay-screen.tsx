/** The replay of one recorded call. */
export function ReplayScreen() {
  return null;
}
