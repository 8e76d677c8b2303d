/**
 * The law of the house as one table: which workspace packages a unit's source may import.
 * A unit imports only what stands lower; units of one level don't know each other, except for the
 * peers that the table names.
 */
interface Unit {
  /** 0 is lowest. */
  level: number;
  /** Packages by their short name. */
  mayImport: readonly string[];
  /** Of its own level, which in turn don't import it. */
  peers?: readonly string[];
  /** Also runs in a browser, so Node's builtins are out of reach. */
  browserSafe?: true;
  /** Imported only by tests and benchmarks. */
  developmentOnly?: true;
}

const products = [
  'json',
  'model',
  'importers',
  'compare',
  'contract',
  'diagnosis',
  'store',
  'mcp',
  'recorder',
  'replay',
  'demo',
];

export const levels: Readonly<Record<string, Unit>> = {
  json: { level: 0, mayImport: [], browserSafe: true },

  model: { level: 1, mayImport: ['json'], browserSafe: true },

  importers: { level: 2, mayImport: ['json', 'model'], browserSafe: true },
  compare: { level: 2, mayImport: ['json', 'model'], browserSafe: true },
  contract: { level: 2, mayImport: ['json', 'model'], browserSafe: true },
  diagnosis: { level: 2, mayImport: ['json', 'model'], browserSafe: true },

  store: { level: 3, mayImport: ['json', 'model'] },
  mcp: { level: 3, mayImport: ['json', 'model'] },
  recorder: { level: 3, mayImport: ['json', 'model'] },
  replay: { level: 3, mayImport: ['json', 'model', 'compare'], peers: ['mcp'] },
  // A server of its own: it knows nothing of the product.
  demo: { level: 3, mayImport: ['json'] },

  server: { level: 4, mayImport: products },
  web: { level: 4, mayImport: ['json', 'model', 'compare', 'contract'], browserSafe: true },

  cli: { level: 4, mayImport: ['json', 'model'], peers: ['server'] },

  testkit: { level: 4, mayImport: products, developmentOnly: true },
  bench: { level: 4, mayImport: products, peers: ['testkit'], developmentOnly: true },
};
