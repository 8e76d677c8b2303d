export { type CompareInput, compareResults } from './compare-results.ts';
