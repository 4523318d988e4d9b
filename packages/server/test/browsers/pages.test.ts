import { sql } from 'kysely';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fillDemo } from '../../src/demo/fill.ts';
import { addDays, utcDay } from '../../src/values/time/utc-day.ts';
import { newTab, newContext, openBrowser } from './browser.ts';
import { claims } from './claims.ts';
import { contextOf, firstStates, signIn, startInstallation } from './installation.ts';
import type { Installation } from './installation.ts';
import { newPerson } from './people.ts';
import type { Person } from './people.ts';
import { setUpCollecting } from './sharing-states.ts';

let browser: Browser;
let installation: Installation;

beforeAll(async () => {
  [browser, installation] = await Promise.all([openBrowser(), startInstallation()]);
});

afterAll(async () => {
  await browser?.close();
  await installation?.close();
});

test('by keyboard alone, a newcomer comes from the set-up link to a new workspace', async () => {
  const [, setUp] = await firstStates(installation);
  const { page, said } = await newTab(await newContext(browser));
  await page.goto(installation.url + (setUp?.path ?? ''));
  await page.keyboard.press('Tab');
  for (const text of ['Ada Example', 'ada@example.com', 'correct horse battery']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.waitForURL('**/workspaces/new');
  expect(await page.textContent('h1')).toBe('New workspace');
  expect(said).toEqual([]);
  await page.context().close();
});

describe('with the demo', () => {
  let workspaceId: string;
  let ada: Person;
  let page: Page;
  let said: string[];

  beforeAll(async () => {
    const { store, clock } = installation;
    const { workspace } = await fillDemo(store, { clock, signal: new AbortController().signal });
    workspaceId = workspace.id;
    await setUpCollecting(store, workspaceId, clock);
    ada = await newPerson(store, { workspaceId, role: 'admin', clock });
    const context = await contextOf(browser, installation, { person: ada });
    ({ page, said } = await newTab(context));
  });

  afterEach(() => {
    const complaints = said.splice(0);
    if (complaints.length > 0) throw new Error(complaints.join('\n'));
  });

  test('the pages of the demo claim what SQL says about its runs, gaps and hits', async () => {
    const { store, clock, url } = installation;
    const today = utcDay(clock());
    const facts: Readonly<Record<string, string>> = {
      ':workspace': workspaceId,
      ':from': addDays(today, -27),
      ':to': today,
      ':before': addDays(today, -55),
    };
    const [claimed, true_]: [string[], string[]] = [[], []];
    for (const claim of claims) {
      if (page.url() !== url + claim.page) await page.goto(url + claim.page);
      const text = (await page.locator(claim.at).textContent()) ?? '';
      const query = claim.sql.replaceAll(
        /:(?:workspace|from|to|before)\b/g,
        (name) => `'${facts[name] ?? ''}'`,
      );
      const { rows } = await sql.raw<Record<string, unknown>>(query).execute(store.reader);
      const name = `${claim.page} ${claim.at}: `;
      claimed.push(name + text.replaceAll(/\s+/g, ' ').trim());
      true_.push(name + String(Object.values(rows[0] ?? {})[0]));
    }
    expect(claims.length).toBeGreaterThan(5);
    expect(claimed).toEqual(true_);
  });

  test('a key that is made by keyboard alone reads the API, and is shown once', async () => {
    await page.goto(`${installation.url}/w/demo/settings/keys`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    await page.keyboard.press('n');
    await page.keyboard.type('first key');
    await page.keyboard.press('Enter');
    const key = (await page.textContent('#key')) ?? '';
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${installation.url}/api/v1/scores`, { headers });
    expect(response.status).toBe(200);
    expect(page.url()).not.toContain(key);
    await page.goBack();
    expect(await page.content()).not.toContain(key);
  });

  test('Ctrl K finds a prompt, a competitor and an answer, and Enter opens the first page', async () => {
    await page.goto(`${installation.url}/w/demo/`);
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
  });

  test('keys lead to another page and period and along a chart, until a person switches them off', async () => {
    await page.goto(`${installation.url}/w/demo/`);
    await page.keyboard.press(']');
    await page.waitForURL('**weeks=12');
    await page.focus('trend-chart');
    await page.keyboard.press('ArrowLeft');
    const point = (await page.textContent('trend-chart output')) ?? '';
    expect(point.replaceAll(/\s+/g, ' ')).toMatch(/\d{4}: \d+ %: \d+ to \d+ %: \d+/);
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.waitForURL('**/settings/members');

    for (const isOn of [false, true]) {
      await page.goto(`${installation.url}/me`);
      await page.setChecked('#keys', isOn);
      await Promise.all([page.waitForEvent('load'), page.click('button.primary >> nth=0')]);
      await page.keyboard.press('?');
      expect([isOn, await page.locator('dialog[open]').count()]).toEqual([isOn, isOn ? 1 : 0]);
    }
  });

  test('a form whose session ended in the middle is sent again after signing in, with what was typed', async () => {
    await page.goto(`${installation.url}/w/demo/settings/keys`);
    await page.fill('#name', 'typed before');
    await page.context().clearCookies();
    await page.click('button.primary');
    expect(await page.textContent('h1')).toBe('You are signed out');
    const other = await page.context().newPage();
    await signIn(installation, other, ada);
    await page.reload();
    expect(await page.textContent('#made')).toContain('typed before');
    await expect.poll(() => said.splice(0)).toEqual([expect.stringContaining('401')]);
  });

  test('a form of another port of this host, which gets our cookies, is refused', async () => {
    await page.route('http://127.0.0.1:9999/evil', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${installation.url}/me"><input name="name" value="Eve"><button>Go</button></form>`,
      }),
    );
    await page.goto('http://127.0.0.1:9999/evil');
    const [response] = await Promise.all([
      page.waitForResponse(`${installation.url}/me`),
      page.click('button'),
    ]);
    expect(response.status()).toBe(403);
    await expect.poll(() => said.splice(0)).toEqual([expect.stringContaining('403')]);
    await page.goto(`${installation.url}/me`);
    expect(await page.inputValue('#name')).toBe('Ada Example');
  });

  test('signing in and every setting work without script', { tags: ['long'] }, async () => {
    const context = await newContext(browser, { hasScript: false });
    const { page: plain } = await newTab(context);
    await plain.goto(`${installation.url}/sign-in?next=/w/demo/settings/keys`);
    await plain.fill('#email', 'ada@example.com');
    await plain.fill('#password', 'correct horse battery');
    await plain.click('button.primary');
    await plain.fill('#name', 'without script');
    await plain.click('button.primary');
    expect(await plain.textContent('#key')).toMatch(/^overheard_/);
    await plain.click('text=I have stored it');
    await plain.click('summary[aria-label^="Revoke without script"]');
    await plain.click('details[open] button.danger');
    expect(await plain.textContent('tr.past')).toContain('without script');
    await plain.goto(`${installation.url}/me`);
    await plain.selectOption('#theme', 'dark');
    await plain.click('button.primary >> nth=0');
    expect(await plain.getAttribute('html', 'data-theme')).toBe('dark');
    await plain.goto(`${installation.url}/w/demo/settings/subjects/new`);
    await plain.fill('#name', 'Without Script Ltd');
    await plain.click('button[value=look]');
    await plain.click('button[value=save]');
    while ((await plain.locator('live-part .good').count()) === 0) {
      // The next count must be of the page that the click leads to.
      await Promise.all([plain.waitForEvent('load'), plain.click('text=Look again')]);
    }
    expect(await plain.textContent('live-part')).toMatch(/counted\s+again/);
    await context.close();
  });
});
