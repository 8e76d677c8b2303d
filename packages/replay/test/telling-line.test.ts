import { describe, expect, test } from 'vitest';
import { saidOnStderr, tellingLine } from '../src/telling-line.ts';

const NODE = `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '/srv/shelf/server.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2
`;
const NODE_SYNTAX = `/srv/shelf/server.js:3
const a = ;
          ^

SyntaxError: Unexpected token ';'
    at wrapSafe (node:internal/modules/cjs/loader:1464:18)

Node.js v20.20.2
`;
const NPX = `npm error code E404
npm error 404 Not Found - GET https://registry.example/shelf-server - Not found
npm error 404
npm error A complete log of this run can be found in: /home/me/.npm/_logs/a-debug-0.log
`;
const PYTHON = `Traceback (most recent call last):
  File "/srv/shelf/server.py", line 2, in <module>
    import shelf
ModuleNotFoundError: No module named 'shelf'
`;
const CHAINED = `INFO starting
Traceback (most recent call last):
  File "/srv/a.py", line 1, in load
KeyError: 'door'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/a.py", line 9, in <module>
ValueError: no door is configured
sys:1: ResourceWarning: unclosed file
`;
const UVX = `  × No solution found when resolving tool dependencies:
error: Failed to spawn: \`shelf-server\`
  Caused by: No such file or directory (os error 2)
`;

describe('the line of stderr that says why a server ended', () => {
  test.each([
    ['node', NODE, "Error: Cannot find module '/srv/shelf/server.js'"],
    ['node with a syntax error', NODE_SYNTAX, "SyntaxError: Unexpected token ';'"],
    ['npx', NPX, 'npm error 404 Not Found - GET https://registry.example/shelf-server - Not found'],
    ['python', PYTHON, "ModuleNotFoundError: No module named 'shelf'"],
    ['python, chained', CHAINED, 'ValueError: no door is configured'],
    [
      'python without a file',
      "python3: can't open file '/srv/x.py': [Errno 2] No such file or directory\n",
      "python3: can't open file '/srv/x.py': [Errno 2] No such file or directory",
    ],
    ['uvx', UVX, 'error: Failed to spawn: `shelf-server`'],
    ['bash', 'bash: line 1: shelf: command not found\n', 'bash: line 1: shelf: command not found'],
    ['sh', 'sh: 1: shelf: not found\n\n', 'sh: 1: shelf: not found'],
    ['its own words', 'listening soon\ncannot open the warehouse\n', 'cannot open the warehouse'],
    ['a version alone', 'out of shelves\nNode.js v20.20.2\n', 'out of shelves'],
  ])('%s', (_name, stderr, line) => {
    expect(tellingLine(stderr)?.line).toBe(line);
  });

  test('is called the last only where it is', () => {
    expect(saidOnStderr(PYTHON)).toMatch(/^ Its last line on stderr: Module/);
    expect(saidOnStderr(NODE)).toMatch(/^ The telling line of its stderr: Error: Cannot/);
    expect(saidOnStderr(' \n')).toBe('');
  });
});
