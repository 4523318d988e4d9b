import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTab, newContext, openBrowser } from './browser.ts';
import {
  contextOf,
  fillInstallation,
  firstStates,
  signIn,
  startInstallation,
} from './installation.ts';
import type { Installation } from './installation.ts';
import type { PageState } from './page-state.ts';

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
  await page.waitForURL('**/workspaces/new');
  expect(await page.textContent('h1')).toBe('New workspace');
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
});

test('Ctrl K finds a prompt, a competitor and an answer, and Enter opens the first page', async () => {
  const overview = states.find(({ name }) => name === 'overview');
  const context = await contextOf(browser, installation, overview ?? {});
  const { page, said } = await newTab(context);
  await page.goto(installation.url + (overview?.path ?? ''));
  await page.keyboard.press('Control+k');
  await page.keyboard.type('globex');
  const found = page.locator('dialog[open] [data-found]');
  await found.getByRole('link', { name: 'Globex', exact: true }).waitFor();
  expect(await found.getByRole('heading').allTextContents()).toEqual([
    'Competitors',
    'Prompts',
    'Answers',
  ]);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/w/demo/competitors/*');
  await page.click('.find');
  await page.keyboard.type('crawl');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/w/demo/crawlers');
  expect(said).toEqual([]);
  await context.close();
});

test(
  'six questions are answered within three steps of the overview, by the keyboard alone',
  { tags: ['long'] },
  async () => {
    const overview = states.find(({ name }) => name === 'overview');
    const context = await contextOf(browser, installation, overview ?? {});
    const { page, said } = await newTab(context);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const until = async (key: string, isThere: string) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press(key);
        if ((await page.evaluate(isThere)) === true) return;
      }
      throw new Error(`${key} does not lead to ${isThere}`);
    };
    /** Opens the first row of the part with this title. */
    const openRow = async (title: string, path: string) => {
      await until(
        'j',
        `document.activeElement.closest('section')?.innerText.startsWith('${title}')`,
      );
      await page.keyboard.press('Enter');
      await page.waitForURL(path);
    };
    const go = async (letter: string, path: string) => {
      await press('g', letter);
      await page.waitForURL(path);
    };
    const shown = async (selector: string) => (await page.textContent(selector))?.trim();

    // Are we gaining?
    await page.goto(installation.url + (overview?.path ?? ''));
    expect(await shown('.lineup')).toMatch(/Acme appears in\s+\d+ %/);
    // On whom?
    await openRow('Who appears', '**/competitors/*');
    expect(await shown('h1')).toMatch(/^Globex leads by \d+\spoints/);
    // Which prompts do we lose, and what does the engine say there?
    await go('o', '**/w/demo/*');
    await openRow('Prompts you lose', '**/prompts/*');
    await openRow('What engines say', '**/answers/*');
    expect(await shown('.answer')).not.toBe('');
    // Where should we be mentioned?
    await go('s', '**/sources*');
    await until(
      'Tab',
      `document.activeElement.textContent.trim() === 'Cites a competitor, not you'`,
    );
    await press('Enter');
    await page.waitForURL('**/sources?*sort=gap*');
    expect(await page.locator('td.name >> nth=0').textContent()).not.toBe('');
    // Which page can bots not read?
    await go('r', '**/crawlers*');
    await until('Tab', `document.activeElement.textContent.trim() === 'Refused'`);
    await press('Enter');
    await page.waitForURL('**/crawlers?*by=refused*');
    expect(await shown('main section:not(.notice) h2')).toBe('Pages that bots cannot read');
    expect(await page.locator('td.name >> nth=0').textContent()).toContain('/');
    // What will tomorrow's collection cost?
    await go('l', '**/settings/collection');
    expect(await shown('main section')).toMatch(/Tomorrow\s+At most \$[\d.]+/);
    expect(said).toEqual([]);
    await context.close();
  },
);

test('six questions are answered within three clicks of the overview, without script', async () => {
  const overview = states.find(({ name }) => name === 'overview');
  const context = await newContext(browser, { hasScript: false });
  const { page } = await newTab(context);
  if (overview?.person !== undefined) await signIn(installation, page, overview.person);
  const ways = [
    { clicks: [], answer: /Acme appears in\s+\d+ %/ },
    { clicks: ['section:has-text("Who appears") a:text-is("Globex")'], answer: /Only Globex/ },
    {
      clicks: ['#prompts-lost td a', '#say li a'],
      answer: /Who appears/,
    },
    { clicks: ['text=Sources', 'text=Cites a competitor, not you'], answer: /Gaps/ },
    {
      clicks: ['text=Crawlers', 'a:text-is("Refused")'],
      answer: /Pages that bots cannot read/,
    },
    { clicks: ['text=Settings', 'text=Asking engines'], answer: /Tomorrow\s+At most \$[\d.]+/ },
  ];
  for (const { clicks, answer } of ways) {
    await page.goto(installation.url + (overview?.path ?? ''));
    for (const click of clicks) await page.locator(click).first().click();
    expect(clicks.length).toBeLessThanOrEqual(3);
    expect(await page.textContent('main')).toMatch(answer);
  }
  await context.close();
});

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
    // The next count must be of the page that the click leads to.
    await Promise.all([page.waitForEvent('load'), page.click('text=Look again')]);
  }
  expect(await page.textContent('live-part')).toMatch(/counted\s+again/);
  await page.goto(`${installation.url}/me`);
  await page.selectOption('#theme', 'system');
  await page.click('button.primary >> nth=0');
  await context.close();
});

test('a form whose session ended in the middle is sent again after signing in, with what was typed', async () => {
  const account = states.find(({ name }) => name === 'account');
  const context = await contextOf(browser, installation, account ?? {});
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
});

test('a form of another port of this host, which gets our cookies, is refused', async () => {
  const context = await contextOf(
    browser,
    installation,
    states.find(({ name }) => name === 'account') ?? {},
  );
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
});

test('a page of the same look says that the database is away', async () => {
  const context = await contextOf(
    browser,
    installation,
    states.find(({ name }) => name === 'account') ?? {},
  );
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
});
