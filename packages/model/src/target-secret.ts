import { z } from 'zod';
import type { TargetAddress } from './target.ts';

/**
 * Environment variables by whose value a process runs other code than its command says. A person
 * may give them; a value for one is never taken from a file.
 */
export function steersCode(environmentName: string): boolean {
  return STEERING_NAMES.test(environmentName);
}

const STEERING_NAMES =
  /^(LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|NPM_CONFIG_.*|PYTHONSTARTUP|PYTHONPATH|PYTHONHOME|PYTHONINSPECT|PYTHONWARNINGS|PYTHONBREAKPOINT|PERL5OPT|PERL5LIB|PERL5DB|RUBYOPT|RUBYLIB|BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|PS4|PROMPT_COMMAND|IFS|PATH|PATHEXT|COMSPEC|SHELL|EDITOR|VISUAL|PAGER|BROWSER|GIT_.*|SSH_ASKPASS|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|DOTNET_STARTUP_HOOKS|CORECLR_.*|COR_.*|GLIBC_TUNABLES|GCONV_PATH|DENO_.*|BUN_.*|UV_.*|PIP_.*|PYENV_.*|HTTPS?_PROXY|ALL_PROXY|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|SSL_CERT_(FILE|DIR))$/i;

/** A value that goes to a target and that Misstep shows to nobody. */
export const SECRET_KINDS = ['environment', 'header'] as const;
export const SecretKindSchema = z.enum(SECRET_KINDS);
export type SecretKind = z.infer<typeof SecretKindSchema>;

/** Names that no shell, process or HTTP message takes are refused before they are kept. */
export const EnvironmentNameSchema = z
  .string()
  .max(256)
  .regex(/^[A-Za-z_][A-Za-z0-9_.()-]*$/, 'a letter or "_" first, then letters, digits or "_"');
export const HeaderNameSchema = z
  .string()
  .max(256)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'the name of an HTTP header')
  .refine((name) => !PROTOCOL_HEADERS.has(name.toLowerCase()), 'this header is written by Misstep');

const PROTOCOL_HEADERS = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'content-type',
  'accept',
  'accept-encoding',
  'last-event-id',
  'mcp-session-id',
  'mcp-protocol-version',
]);

/**
 * What a secret value of a target is bound to: scheme, host and port of a URL; the very command,
 * arguments and working folder of a process. Where it changes, the value is not used.
 */
export function secretBinding(address: TargetAddress): string {
  if (address.transport !== 'stdio') {
    return URL.canParse(address.url) ? new URL(address.url).origin : `unreadable ${address.url}`;
  }
  return JSON.stringify(['stdio', address.command, address.args, address.cwd]);
}
