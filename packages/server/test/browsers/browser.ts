/**
 * A real browser for tests of pages: an installed Chrome or Chromium, or the Chromium of
 * `@sparticuz/chromium` (Linux x64). One for each test file that asks.
 */
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import serverless from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, LaunchOptions, Page } from 'playwright-core';

const installed = [
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Starts the browser; the caller closes it. */
export async function openBrowser(): Promise<Browser> {
  const found = installed.find((path) => existsSync(path));
  if (found === undefined && !(process.platform === 'linux' && process.arch === 'x64')) {
    throw new Error('The browser tests need Chrome or Chromium: install one of them.');
  }
  const executablePath = found ?? (await serverless.executablePath());
  return launchUnpacked({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** Starts the browser, and waits for up to a minute while another test file unpacks it (ETXTBSY). */
async function launchUnpacked(options: LaunchOptions): Promise<Browser> {
  const endMs = performance.now() + 60_000;
  for (;;) {
    try {
      return await chromium.launch(options);
    } catch (error) {
      const isUnpacking = error instanceof Error && error.message.includes('ETXTBSY');
      if (!isUnpacking || performance.now() > endMs) throw error;
      await setTimeout(200);
    }
  }
}

/** How a page is looked at. */
export interface Look {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  readonly hasScript?: boolean;
}

/** A browser of its own, without cookies. */
export function newContext(
  browser: Browser,
  { width = 1440, scheme = 'light', hasScript = true }: Look = {},
): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    javaScriptEnabled: hasScript,
  });
}

/** A tab, and what its console says. */
export async function newTab(context: BrowserContext): Promise<{ page: Page; said: string[] }> {
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  return { page, said };
}
