import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillDemo } from '../../src/demo/fill.ts';
import { newContext, newTab, openBrowser } from './browser.ts';
import { signIn, startInstallation } from './installation.ts';
import type { Installation } from './installation.ts';
import { newPerson } from './people.ts';

let browser: Browser;
let installation: Installation;
let page: Page;

beforeAll(async () => {
  [browser, installation] = await Promise.all([openBrowser(), startInstallation()]);
  const { store, clock } = installation;
  const { workspace } = await fillDemo(store, { clock, signal: new AbortController().signal });
  const person = await newPerson(store, { workspaceId: workspace.id, role: 'admin', clock });
  ({ page } = await newTab(await newContext(browser)));
  await signIn(installation, page, person);
});

afterAll(async () => {
  await browser?.close();
  await installation?.close();
});

async function openOverview(): Promise<void> {
  await page.goto(`${installation.url}/w/demo/`);
}

function focused(): Promise<unknown> {
  return page.evaluate('document.activeElement.textContent');
}

test('g and a letter go to a page, and no two pages have the same letter', async () => {
  await openOverview();
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await page.waitForURL('**/settings/members');
  const letters = await page
    .locator('[data-go]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('data-go')));
  expect(letters.length).toBeGreaterThan(5);
  expect(new Set(letters).size).toBe(letters.length);
});

test('] shows a longer period and [ a shorter one', async () => {
  await openOverview();
  await page.keyboard.press(']');
  await page.waitForURL('**weeks=12');
  await page.keyboard.press('[');
  await page.waitForURL('**weeks=4');
  expect(await page.textContent('[aria-label=Period] [aria-current]')).toBe('Last 4 weeks');
});

test.each(['Control+k', '/'])(
  '%s lists the pages by what is typed, and Enter opens the first',
  async (key) => {
    await openOverview();
    await page.keyboard.press(key);
    await page.keyboard.type('hist');
    expect(await page.locator('dialog[open] li').allTextContents()).toEqual(['History']);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/settings/history');
  },
);

test('? shows the keys, and Escape closes them', async () => {
  await openOverview();
  await page.keyboard.press('?');
  expect(await page.textContent('dialog[open]')).toContain('shorter and longer period');
  await page.keyboard.press('Escape');
  expect(await page.locator('dialog[open]').count()).toBe(0);
});

test('arrow keys move through a chart, and each point is said with its sample', async () => {
  await openOverview();
  await page.focus('trend-chart');
  await page.keyboard.press('ArrowLeft');
  const first = (await page.textContent('trend-chart output')) ?? '';
  expect(first.replaceAll(/\s+/g, ' ')).toMatch(/\d{4}: \d+ %: \d+ to \d+ %: \d+/);
  await page.keyboard.press('ArrowLeft');
  expect(await page.textContent('trend-chart output')).not.toBe(first);
});

test('j and k move through the rows', async () => {
  await page.goto(`${installation.url}/w/demo/`);
  await page.evaluate(`document.querySelectorAll('#who-appears td.name').forEach((cell) => {
    const link = document.createElement('a');
    link.href = '#' + cell.textContent;
    link.textContent = cell.textContent;
    cell.replaceChildren(link);
  })`);
  await page.keyboard.press('j');
  const first = await focused();
  await page.keyboard.press('j');
  expect(await focused()).not.toBe(first);
  await page.keyboard.press('k');
  expect(await focused()).toBe(first);
});

test('a page is printed on two pages, without navigation', async () => {
  await openOverview();
  const pdf = await page.pdf({ format: 'A4' });
  const count = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(2);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.side').isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
});

test('a person can switch the keys off and on again', async () => {
  for (const isOn of [false, true]) {
    await page.goto(`${installation.url}/me`);
    await page.setChecked('#keys', isOn);
    await page.click('button.primary >> nth=0');
    await page.waitForLoadState('load');
    await openOverview();
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    expect(await page.locator('dialog[open]').count()).toBe(isOn ? 1 : 0);
  }
});
