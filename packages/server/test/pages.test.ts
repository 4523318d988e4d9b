import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HtmlValidate } from 'html-validate';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { newContext, newTab, openBrowser } from './browser.ts';
import { figureFaults } from './figure-faults.ts';
import { fillInstallation, firstStates, signIn, startInstallation } from './installation.ts';
import type { Installation } from './installation.ts';
import type { PageState } from './page-state.ts';

/** Bytes as they are sent. */
const budget = { html: 30_000, css: 8000, script: 12_000, requests: 5 } as const;

/** In the first look everything is checked, in the others what may differ. */
const looks = [
  { width: 1440, scheme: 'light', rules: '' },
  { width: 1440, scheme: 'dark', rules: "{ runOnly: ['color-contrast'] }" },
  { width: 360, scheme: 'dark', rules: "{ runOnly: ['color-contrast'] }" },
  { width: 360, scheme: 'light', rules: '' },
] as const;

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // What the formatter of the sources writes.
    'void-style': 'off',
    'no-trailing-whitespace': 'off',
    'attribute-boolean-style': 'off',
    'long-title': 'off',
    // The name is on the form that a details element holds.
    'no-implicit-button-type': 'off',
    'tel-non-breaking': 'off',
  },
});

let browser: Browser;
let installation: Installation;
let states: PageState[];

beforeAll(async () => {
  [browser, installation] = await Promise.all([openBrowser(), startInstallation()]);
});

afterAll(async () => {
  await browser?.close();
  await installation?.close();
});

test('the keyboard alone leads from the set-up link to a key that reads the API', async () => {
  const [, setUp] = await firstStates(installation);
  const context = await newContext(browser);
  const { page, said } = await newTab(context);
  await page.goto(installation.url + (setUp?.path ?? ''));
  await page.keyboard.press('Tab');
  for (const text of ['Ada Example', 'ada@example.com', 'correct horse battery']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.waitForURL('**/');
  expect(await page.textContent('h1')).toBe('Workspaces');
  states = await fillInstallation(installation);

  await page.goto(`${installation.url}/w/demo/settings/keys`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('content');
  await page.keyboard.press('n');
  await page.keyboard.type('first key');
  await page.keyboard.press('Enter');
  const key = (await page.textContent('#key')) ?? '';
  const response = await fetch(`${installation.url}/api/v1/scores`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(response.status).toBe(200);
  expect(page.url()).not.toContain(key);
  await page.goBack();
  expect(await page.content()).not.toContain(key);
  expect(said).toEqual([]);
  await context.close();
}, 60_000);

test('every page in light and dark, narrow and wide: no fault of accessibility, overflow, console or weight', async () => {
  expect(states.length).toBeGreaterThan(15);
  const faults: string[] = [];
  const contexts = new Map<string, BrowserContext>();
  for (const state of [{ name: 'set-up-words', path: '/setup' }, ...states]) {
    const whose = 'person' in state ? (state.person?.email ?? '') : '';
    const context = contexts.get(whose) ?? (await contextOf(state));
    contexts.set(whose, context);
    const found = await inspect(context, state);
    faults.push(...found.map((fault) => `${state.name}: ${fault}`));
  }
  for (const context of contexts.values()) await context.close();
  expect(faults).toEqual([]);
}, 240_000);

test('signing in and every setting work without script', async () => {
  const context = await newContext(browser, { hasScript: false });
  const { page } = await newTab(context);
  await page.goto(`${installation.url}/sign-in?next=/w/demo/settings/keys`);
  await page.fill('#email', 'ada@example.com');
  await page.fill('#password', 'correct horse battery');
  await page.click('button.primary');
  await page.fill('#name', 'without script');
  await page.click('button.primary');
  expect(await page.textContent('#key')).toMatch(/^overheard_/);
  await page.click('text=I have stored it');
  await page.click('summary[aria-label^="Revoke without script"]');
  await page.click('details[open] button.danger');
  expect(await page.textContent('tr.past')).toContain('without script');
  await page.goto(`${installation.url}/me`);
  await page.selectOption('#theme', 'dark');
  await page.click('button.primary >> nth=0');
  expect(await page.getAttribute('html', 'data-theme')).toBe('dark');
  await page.goto(`${installation.url}/w/demo/settings/subjects/new`);
  await page.fill('#name', 'Without Script Ltd');
  await page.click('button[value=look]');
  await page.click('button[value=save]');
  while ((await page.locator('live-part .good').count()) === 0) {
    await page.click('text=Look again');
  }
  expect(await page.textContent('live-part')).toMatch(/judged\s+again/);
  await page.goto(`${installation.url}/me`);
  await page.selectOption('#theme', 'system');
  await page.click('button.primary >> nth=0');
  await context.close();
}, 60_000);

test('a form whose session ended in the middle is sent again after signing in, with what was typed', async () => {
  const account = states.find(({ name }) => name === 'account');
  const context = await contextOf(account ?? {});
  const { page } = await newTab(context);
  await page.goto(`${installation.url}/w/demo/settings/keys`);
  await page.fill('#name', 'typed before');
  await context.clearCookies();
  await page.click('button.primary');
  expect(await page.textContent('h1')).toBe('You are signed out');
  const other = await context.newPage();
  if (account?.person !== undefined) await signIn(installation, other, account.person);
  await page.reload();
  expect(await page.textContent('#made')).toContain('typed before');
  await context.close();
}, 60_000);

test('a form of another port of this host, which gets our cookies, is refused', async () => {
  const context = await contextOf(states.find(({ name }) => name === 'account') ?? {});
  const { page } = await newTab(context);
  const other = await startInstallation();
  try {
    await page.route(`${other.url}/evil`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${installation.url}/me"><input name="name" value="Eve"><button>Go</button></form>`,
      }),
    );
    await page.goto(`${other.url}/evil`);
    const [response] = await Promise.all([
      page.waitForResponse(`${installation.url}/me`),
      page.click('button'),
    ]);
    expect(response.status()).toBe(403);
    await page.goto(`${installation.url}/me`);
    expect(await page.inputValue('#name')).toBe('Ada Example');
  } finally {
    await other.close();
    await context.close();
  }
}, 60_000);

test('while the database is away a page of the same look says so', async () => {
  const context = await contextOf(states.find(({ name }) => name === 'account') ?? {});
  const { page } = await newTab(context);
  installation.setAway(true);
  try {
    const response = await page.goto(`${installation.url}/me`);
    expect([response?.status(), await page.textContent('h1')]).toEqual([
      503,
      'The database is away',
    ]);
  } finally {
    installation.setAway(false);
    await context.close();
  }
}, 60_000);

/** A browser in which the person of a state is signed in. */
async function contextOf({ person }: Partial<PageState>): Promise<BrowserContext> {
  const context = await newContext(browser);
  if (person !== undefined) {
    const { page } = await newTab(context);
    await signIn(installation, page, person);
    await page.close();
  }
  return context;
}

/** Opens a page and says what is wrong with it in every look. */
async function inspect(context: BrowserContext, state: PageState): Promise<string[]> {
  const { page, said } = await newTab(context);
  const sizes: Array<Promise<Weight>> = [];
  let status = 0;
  page.on('response', (response) => {
    const request = response.request();
    if (request.isNavigationRequest()) {
      sizes.length = 0;
      status = response.status();
    }
    const [url, type] = [response.url(), request.resourceType()];
    sizes.push(request.sizes().then((each) => ({ url, type, bytes: each.responseBodySize })));
  });
  await page.goto(installation.url + state.path);
  await state.act?.(page);
  await page.waitForLoadState('load');
  const faults = weightFaults(await Promise.all(sizes));
  if (status !== (state.status ?? 200)) faults.push(`status ${status}`);
  faults.push(...(await markupFaults(await page.content())));
  faults.push(...(await words(page, figureFaults)));
  await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
  await page.evaluate(axe);
  for (const { width, scheme, rules } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    const found = [...(await words(page, measure)), ...(await words(page, runAxe(rules)))];
    faults.push(...found.map((fault) => `${width} ${scheme}: ${fault}`));
  }
  const expected = status < 400 ? '' : 'Failed to load resource';
  faults.push(...said.filter((text) => expected === '' || !text.startsWith(expected)));
  await page.close();
  return faults;
}

interface Weight {
  readonly url: string;
  readonly type: string;
  readonly bytes: number;
}

/** What goes over the edge, and text that is too small to read: a function for the page. */
const measure = `(() => {
  const found = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push('overflow: ' + scrollWidth + ' of ' + clientWidth);
  for (const element of document.querySelectorAll('body *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (hasText && size < 12) found.push(size + ' px: ' + element.textContent.slice(0, 30));
  }
  return found;
})()`;

function runAxe(rules: string): string {
  return `axe.run(document, ${rules || '{}'}).then(({ violations }) => violations.map(({ id, nodes }) =>
  'axe ' + id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`;
}

async function words(page: Page, expression: string): Promise<string[]> {
  return z.array(z.string()).parse(await page.evaluate(expression));
}

function weightFaults(weights: readonly Weight[]): string[] {
  const sum = (type: string) =>
    weights.filter((each) => each.type === type).reduce((total, { bytes }) => total + bytes, 0);
  // A part that shows a running job requests the page again and again.
  const loaded = weights.filter(({ type }) => type !== 'xhr');
  const isOurs = (url: string) => url.startsWith(installation.url) || url.startsWith('data:');
  return [
    ...weights.filter(({ url }) => !isOurs(url)).map(({ url }) => `from elsewhere: ${url}`),
    ...(sum('document') > budget.html ? [`HTML of ${sum('document')} bytes`] : []),
    ...(sum('stylesheet') > budget.css ? [`CSS of ${sum('stylesheet')} bytes`] : []),
    ...(sum('script') > budget.script ? [`script of ${sum('script')} bytes`] : []),
    ...(loaded.length > budget.requests ? [`${loaded.length} requests`] : []),
  ];
}

async function markupFaults(source: string): Promise<string[]> {
  const { results } = await validator.validateString(source);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `html-validate ${ruleId}: ${message} (${line})`),
  );
}
