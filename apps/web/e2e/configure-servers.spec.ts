import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startOAuthMcp } from '@misstep/testkit';
import { expect, test } from './fixtures.ts';

const KEY = 'shelf-key-0123456789';

test('servers from a file are picked, confirmed and given their values', async ({ app, page }) => {
  const file = path.join(app.folder, 'mcp.json');
  const holder = ['$', '{root}'].join('');
  const servers = {
    parcels: { command: 'parcels', args: ['--root', holder], env: { PARCEL_KEY: KEY } },
    archive: { url: 'https://archive.example/mcp' },
  };
  await writeFile(file, `// mine\n${JSON.stringify({ mcpServers: servers })}`);
  await app.start();
  await app.open(page, '/servers');
  await page.getByRole('button', { name: 'Read from a file' }).click();
  await page.getByLabel('Configuration file').setInputFiles(file);
  const entry = page.getByRole('listitem', { name: 'Entry parcels' });
  await expect(entry).toContainText(`parcels --root "${holder}"`);
  await entry.getByRole('checkbox').check();
  await page.getByLabel('root').fill('/srv/parcels');
  await page.getByRole('button', { name: 'Keep 1 server' }).click();

  const server = page.getByRole('listitem', { name: 'Server parcels' });
  await expect(server).toContainText('parcels --root /srv/parcels (environment: PARCEL_KEY)');
  await expect(server).toContainText('not confirmed');
  await expect(server).toContainText('read from mcp.json, entry parcels');
  await server.getByRole('button', { name: /^Confirm this command/ }).click();
  await expect(server.getByText('confirmed', { exact: true })).toBeVisible();

  await server.getByRole('button', { name: 'Settings of parcels' }).click();
  await server.getByRole('button', { name: 'Add a variable' }).click();
  await server.getByLabel('Name of variable 1').fill('LEVEL');
  await server.getByLabel('Value of variable 1').fill(KEY);
  await server.getByRole('button', { name: 'Keep', exact: true }).click();
  await expect(server).toContainText('(environment: PARCEL_KEY, LEVEL)');
  await expect(server).toContainText('not confirmed');
  await server.getByRole('button', { name: 'Forget LEVEL' }).click();
  await expect(server).not.toContainText('LEVEL');
  expect(await page.content()).not.toContain(KEY);
});

test('a sign-in goes to the authorization server and comes back', async ({ app, page }) => {
  const shelves = await startOAuthMcp();
  try {
    await app.start();
    await app.cli('target', 'add', 'shelves', '--yes', '--url', shelves.url);
    await app.open(page, '/servers');
    const server = page.getByRole('listitem', { name: 'Server shelves' });
    await server.getByRole('button', { name: 'Settings of shelves' }).click();
    await server.getByRole('button', { name: 'Sign in', exact: true }).click();
    const link = server.getByRole('link', { name: `Go to ${shelves.origin}` });
    const opened = page.context().waitForEvent('page');
    await link.click();
    const tab = await opened;
    await expect(tab.locator('body')).toContainText('You are signed in at shelves');
    expect(new URL(tab.url()).origin).toBe(app.origin);
    await expect(server.getByText('signed in', { exact: true })).toBeVisible();
    for (const secret of shelves.secrets) expect(await page.content()).not.toContain(secret);
    await server.getByRole('button', { name: 'Sign out' }).click();
    await expect(server.getByText('signed in', { exact: true })).toBeHidden();
  } finally {
    await shelves.stop();
  }
});
