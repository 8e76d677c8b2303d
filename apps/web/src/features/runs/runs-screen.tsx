export function RunsScreen() {
  return null;
}
