// For `node --import`: the conformance package names fs.globSync in an import, which Node 20 lacks.
import fs from 'node:fs';
import { register } from 'node:module';

if (!('globSync' in fs)) register('./resolve-glob.mjs', import.meta.url);
