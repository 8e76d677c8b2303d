export function ServersScreen() {
  return null;
}
