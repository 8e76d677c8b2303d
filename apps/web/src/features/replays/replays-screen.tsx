export function ReplaysScreen() {
  return null;
}
