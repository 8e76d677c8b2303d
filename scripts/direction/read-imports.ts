import { parseSync } from 'oxc-parser';

/** One import as the source states it. */
export interface ImportStatement {
  /** Undefined: `import(expression)`, whose target nobody can read off. */
  specifier: string | undefined;
  line: number;
}

export interface ReadImports {
  imports: ImportStatement[];
  /** Where the file can't be parsed, so that it isn't taken for one without imports. */
  parseErrors: string[];
}

type Node = Record<string, unknown>;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

/** The node that holds the specifier, for each kind of syntax that can name another module. */
function sourceOf(node: Node): { source: unknown } | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
      return { source: node.source };
    case 'ExportNamedDeclaration':
      return isNode(node.source) ? { source: node.source } : undefined;
    case 'TSImportType':
      return { source: node.source ?? node.argument };
    case 'TSExternalModuleReference':
      return { source: node.expression };
    case 'CallExpression': {
      const { callee, arguments: given } = node;
      const isRequire = isNode(callee) && callee.type === 'Identifier' && callee.name === 'require';
      return isRequire && Array.isArray(given) ? { source: given[0] } : undefined;
    }
    default:
      return undefined;
  }
}

function literalOf(source: unknown): string | undefined {
  if (!isNode(source)) return undefined;
  if (source.type === 'TSLiteralType') return literalOf(source.literal);
  if (source.type === 'TemplateLiteral') {
    const { quasis, expressions } = source;
    if (!Array.isArray(quasis) || !Array.isArray(expressions) || expressions.length > 0)
      return undefined;
    const value: unknown = quasis[0]?.value?.cooked;
    return typeof value === 'string' ? value : undefined;
  }
  return typeof source.value === 'string' ? source.value : undefined;
}

/**
 * Every import of a TypeScript file: static, type-only, dynamic, `export from`, `import('x').Type`
 * and `require`.
 */
export function readImports(file: string, text: string): ReadImports {
  const { program, errors } = parseSync(file, text);
  const imports: ImportStatement[] = [];
  const waiting: unknown[] = [program];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (!isNode(node)) continue;
    const found = sourceOf(node);
    if (found !== undefined) {
      const start = typeof node.start === 'number' ? node.start : 0;
      const line = text.slice(0, start).split('\n').length;
      imports.push({ specifier: literalOf(found.source), line });
    }
    for (const value of Object.values(node)) if (isNode(value)) waiting.push(value);
  }
  imports.sort((a, b) => a.line - b.line);
  return { imports, parseErrors: errors.map((error) => error.message) };
}
