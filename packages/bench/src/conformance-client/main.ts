/**
 * What `@modelcontextprotocol/conformance client` starts for each scenario: Misstep's own connection and
 * sign-in, and a person who approves, accepts and calls what the scenario is about. The server's
 * URL is the last argument.
 */
import { headerFault, McpConnection, SignIn, type SignInRecord } from '@misstep/mcp';
import { acceptAsShown, planCalls, readContext } from './scenario.ts';

const url = process.argv.at(-1) ?? '';
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = readContext(process.env.MCP_CONFORMANCE_CONTEXT);
/** A person signs in again where more is asked for, but not for ever. */
const MOST_SIGN_INS = 3;

interface Attempt {
  readonly wantsSignIn: boolean;
  /** What the refusal says to ask for. */
  readonly scope: string | null;
  readonly trouble: string | null;
}

async function attempt(record: SignInRecord | null): Promise<Attempt> {
  let wantsSignIn = false;
  let scope: string | null = null;
  const headers = new Map<string, string>();
  if (record !== null) headers.set('Authorization', `Bearer ${record.tokens.access_token}`);
  const connection = new McpConnection({
    address: { transport: 'streamable-http', url },
    defaultCwd: process.cwd(),
    maxFrameBytes: 16 * 1024 * 1024,
    clientVersion: '0.0.0-conformance',
    answerServer: acceptAsShown,
    secrets: { environment: new Map(), headers },
    tap: ({ lane, bytes }) => {
      if (lane !== '#') return;
      const text = Buffer.from(bytes).toString();
      process.stderr.write(`${text}\n`);
      wantsSignIn ||= /→ 40[13] /.test(text);
      scope ??= /scope=\\"([^"\\]+)/.exec(text)?.[1] ?? null;
    },
  });
  const ended = connection.ended.then((end) => {
    throw new Error(`the connection ended: ${end.reason}`);
  });
  ended.catch(() => undefined);
  try {
    await Promise.race([ended, converse(connection)]);
    return { wantsSignIn, scope, trouble: null };
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error);
    return { wantsSignIn, scope, trouble };
  } finally {
    await connection.close();
  }
}

async function converse(connection: McpConnection): Promise<void> {
  const { protocolRevision, protocolEra } = await connection.handshake();
  process.stderr.write(`revision ${protocolRevision}\n`);
  const listed = await connection.listTools(null);
  if (listed.kind === 'error') return;
  // By default Misstep refuses what a conforming client leaves out (replay's policy, over HTTP).
  const isModern = protocolEra === 'modern';
  const offered = listed.page.tools.filter(
    ({ definitionText }) => !isModern || headerFault(definitionText) === null,
  );
  for (const { tool, argumentsText } of planCalls(scenario, context, offered)) {
    const { bytes } = await connection.callTool(tool, argumentsText).answer;
    process.stderr.write(`${tool}: ${Buffer.from(bytes).toString().slice(0, 300)}\n`);
  }
}

async function signIn(former: SignInRecord | null, scope: string | null): Promise<SignInRecord> {
  const flow = new SignIn({
    serverUrl: url,
    redirectUri: 'http://127.0.0.1:3999/callback',
    clientId: context.clientId,
    scope,
    former,
  });
  const address = await flow.begin();
  const answer = await fetch(address, { redirect: 'manual' });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`no redirect, HTTP ${answer.status}`);
  return flow.finish(new URL(location).searchParams);
}

let record: SignInRecord | null = null;
let outcome = await attempt(record);
for (let count = 0; outcome.wantsSignIn && count < MOST_SIGN_INS; count += 1) {
  record = await signIn(record, outcome.scope);
  outcome = await attempt(record);
}
if (outcome.trouble !== null) {
  process.stderr.write(`${outcome.trouble}\n`);
  process.exitCode = 1;
}
