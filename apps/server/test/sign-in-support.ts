import type { OutgoingHttpHeaders } from 'node:http';
import { routes, type TargetView } from '@misstep/contract';
import { type OAuthMcpOptions, type OAuthMcpServer, startOAuthMcp } from '@misstep/testkit';
import { onTestFinished } from 'vitest';
import { depotName } from './depot.ts';
import { call, HOST, openTestApp } from './support.ts';

export async function oauthServer(options: OAuthMcpOptions = {}): Promise<OAuthMcpServer> {
  const server = await startOAuthMcp(options);
  onTestFinished(() => server.stop());
  return server;
}

export async function confirmedTarget(options: OAuthMcpOptions = {}) {
  const server = await oauthServer(options);
  const { app, services, dataFolder } = await openTestApp();
  const address = { transport: 'streamable-http' as const, url: server.url };
  const { description } = await services.targets.add(depotName, address);
  await services.targets.confirm(depotName, description, false);
  const begin = (body: object = {}) =>
    call(app, routes.startSignIn, { params: { name: depotName }, body });
  const view = async (): Promise<TargetView> => services.targets.get(depotName);
  return { server, app, services, dataFolder, begin, view };
}

/** What the person's browser does: it goes to the authorization server and is sent back. */
export async function approve(begun: { json: unknown }): Promise<string> {
  const { authorizationUrl } = begun.json as { authorizationUrl: string };
  const response = await fetch(authorizationUrl, { redirect: 'manual' });
  const location = new URL(response.headers.get('location') ?? '');
  return `${location.pathname}${location.search}`;
}

type App = Awaited<ReturnType<typeof openTestApp>>['app'];
/** The way back from it, as a browser loads it. */
export async function comeBack(
  app: App,
  url: string,
  headers: Record<string, string> = {},
): Promise<{ statusCode: number; body: string; headers: OutgoingHttpHeaders }> {
  const {
    statusCode,
    body,
    headers: answered,
  } = await app.inject({
    method: 'GET',
    url,
    headers: { host: HOST, ...headers },
  });
  return { statusCode, body, headers: answered };
}
