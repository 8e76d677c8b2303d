/** The data end too early or are damaged: what came before was given already. */
export class DamagedData extends Error {}
