export { applyIgnoreRules } from './apply-ignore-rules.ts';
export {
  type CompareInput,
  compareResults,
  walkRows,
} from './compare-results.ts';
export {
  IGNORE_PRESETS,
  type IgnoreRule,
  type IgnoreSuggestion,
  readIgnoreRules,
  suggestIgnoreRules,
} from './ignore-rules.ts';
export { type DifferenceLine, differenceOfLines, type LineDifference } from './line-difference.ts';
export { sizeOf, TOKEN_ESTIMATE_RULE } from './version-size.ts';
