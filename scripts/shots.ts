/**
 * Writes a picture of every state of every page, in light and dark, wide and narrow, and prints how
 * many numbers each shows: `npm run shots`, or `npm run shots -- overview gaps` for some.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { newContext, newTab, openBrowser } from '../packages/server/test/browsers/browser.ts';
import {
  fillInstallation,
  firstStates,
  signIn,
  startInstallation,
} from '../packages/server/test/browsers/installation.ts';
import type { PageState } from '../packages/server/test/browsers/page-state.ts';

const wanted = process.argv.slice(2);
const gallery = join(import.meta.dirname, '..', 'shots');
const looks = [
  { width: 1440, scheme: 'light' },
  { width: 1440, scheme: 'dark' },
  { width: 360, scheme: 'light' },
  { width: 360, scheme: 'dark' },
] as const;

/** The numbers that a page shows as it opens, in its text and in `aria-label`. */
const countNumbers = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [...document.querySelectorAll('[aria-label]')].filter((each) => each.checkVisibility()).map((each) => each.getAttribute('aria-label'));
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement.checkVisibility() && !node.parentElement.closest('script, style')) texts.push(node.data);
  }
  return texts.join(' ').match(/\\d+(?:[.,]\\d+)*/g)?.length ?? 0;
})()`;

mkdirSync(gallery, { recursive: true });
const browser = await openBrowser();
const installation = await startInstallation();
const names: string[] = [];
try {
  for (const state of await firstStates(installation)) await shoot(state);
  for (const state of await fillInstallation(installation)) await shoot(state);
} finally {
  await browser.close();
  await installation.close();
}
const images = names.map((name) => `<h2>${name}</h2><img src="${name}.png" alt="${name}">`);
const style = '<style>body{font:14px system-ui}img{max-width:100%;border:1px solid #999}</style>';
writeFileSync(join(gallery, 'index.html'), `<!doctype html>${style}${images.join('\n')}\n`);
console.log(`${names.length} pictures in ${join(gallery, 'index.html')}`);

async function shoot(state: PageState): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(state.name)) return;
  const context = await newContext(browser);
  const { page } = await newTab(context);
  if (state.person !== undefined) await signIn(installation, page, state.person);
  await page.goto(installation.url + state.path);
  await state.act?.(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  console.log(`${state.name}: ${String(await page.evaluate(countNumbers))} numbers`);
  for (const look of looks) await picture(page, state.name, look);
  await context.close();
}

async function picture(
  page: Page,
  state: string,
  { width, scheme }: (typeof looks)[number],
): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: scheme });
  const name = `${state}-${scheme}-${width}`;
  await page.screenshot({ path: join(gallery, `${name}.png`), fullPage: true });
  names.push(name);
}
