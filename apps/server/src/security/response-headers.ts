/**
 * Nothing is loaded from elsewhere, nothing inline runs, nobody may frame the page. `styleNonce`
 * is for the page alone: the editor brings its styles as elements (see docs/decisions/0030).
 */
export function contentSecurityPolicy(styleNonce: string | null): string {
  const style = styleNonce === null ? "'self'" : `'self' 'nonce-${styleNonce}'`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${style}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** On every answer. Caching is allowed where a route says so, nowhere else. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy(null),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
