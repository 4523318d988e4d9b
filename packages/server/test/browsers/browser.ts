/**
 * A real browser for tests of pages: the Chromium of `@sparticuz/chromium` (Linux x64), whose version
 * is pinned, or the one that `OVERHEARD_TEST_BROWSER` names. One for each test file that asks.
 */
import { setTimeout } from 'node:timers/promises';
import serverless from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { environment } from '../../src/config.ts';

/** Starts the browser; the caller closes it. */
export async function openBrowser(): Promise<Browser> {
  const chosen = environment['OVERHEARD_TEST_BROWSER'] ?? '';
  if (chosen === '' && !(process.platform === 'linux' && process.arch === 'x64')) {
    throw new Error(
      'The pinned browser of the tests is for Linux x64. Set OVERHEARD_TEST_BROWSER to the path of Chrome or Chromium.',
    );
  }
  const executablePath = chosen === '' ? await serverless.executablePath() : chosen;
  for (;;) {
    try {
      return await chromium.launch({
        executablePath,
        args: ['--no-sandbox', '--disable-gpu'],
        timeout: 0,
      });
    } catch (error) {
      // Another test file is unpacking the browser.
      if (!(error instanceof Error && error.message.includes('ETXTBSY'))) throw error;
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
export async function newContext(
  browser: Browser,
  { width = 1440, scheme = 'light', hasScript = true }: Look = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    javaScriptEnabled: hasScript,
  });
  // It only names what hangs.
  context.setDefaultTimeout(300_000);
  return context;
}

/** A tab, and what its console says. */
export async function newTab(context: BrowserContext): Promise<{ page: Page; said: string[] }> {
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  return { page, said };
}
