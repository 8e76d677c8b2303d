import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/lib/chromium.mjs';

// `npm test` hands over the Chromium it found; a direct `npx playwright test` looks for one itself.
const executablePath = findChromium(process.env);

const runsAsRoot = process.getuid?.() === 0;

// Each test starts a server of its own, with its own data folder (apps/web/e2e/fixtures.ts), so
// there is none for the whole run.
export default defineConfig({
  testDir: 'apps/web/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Generous: a busy machine is slow, and a test that waits for a condition costs nothing extra.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'chromium',
      use: {
        browserName: 'chromium',
        launchOptions: {
          ...(executablePath === undefined ? {} : { executablePath }),
          args: [
            // Chromium refuses its sandbox to root; everyone else keeps it.
            ...(runsAsRoot ? ['--no-sandbox'] : []),
            '--disable-gpu',
            // The rest keeps the browser from talking to anyone but the server under test.
            '--disable-quic',
            '--no-first-run',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
          ],
        },
      },
    },
  ],
});
