export const DEFAULT_PORT = 4517;
