/** How every page looks to a person: one state of each in one look, and in `npm run test:all` every state in four. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HtmlValidate } from 'html-validate';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isEverythingTested } from '../../../../test/cases.ts';
import { newContext, newTab, openBrowser } from './browser.ts';
import { figureFaults } from './figure-faults.ts';
import { contextOf, fillInstallation, firstStates, startInstallation } from './installation.ts';
import type { Installation } from './installation.ts';
import type { PageState } from './page-state.ts';

/** Bytes as they are sent. */
const budget = { html: 30_000, css: 8000, script: 12_000, requests: 5 } as const;

/** `npm run test:all` looks at each page in all of them, `npm test` in one. */
const allLooks = [
  { width: 1440, scheme: 'light' },
  { width: 360, scheme: 'dark' },
  { width: 1440, scheme: 'dark' },
  { width: 360, scheme: 'light' },
] as const;
const [firstLook] = allLooks;
type Look = (typeof allLooks)[number];

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // What the formatter of the sources writes.
    'void-style': 'off',
    'no-trailing-whitespace': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'long-title': 'off',
    // The name is on the form that a details element holds.
    'no-implicit-button-type': 'off',
    'tel-non-breaking': 'off',
  },
});

/** A tab in which state after state is looked at: a new one for each would take half the time of a look. */
interface Tab {
  readonly page: Page;
  readonly said: string[];
  readonly weights: Array<Promise<Weight>>;
  status: number;
}

/** In how many tests the states are looked at, so that none lasts long. */
const parts = 8;

const tabs = new Map<string, Tab>();
let browser: Browser;
let installation: Installation;

beforeAll(async () => {
  [browser, installation] = await Promise.all([openBrowser(), startInstallation()]);
});

afterAll(async () => {
  await browser?.close();
  await installation?.close();
});

test('the pages before there is a user have no fault', async () => {
  expect(await faultsOf(await firstStates(installation))).toEqual([]);
});

describe('narrow or wide, in light or in dark, and all four with everything', () => {
  let states: readonly PageState[] = [];

  beforeAll(async () => {
    const all = await fillInstallation(installation, { hasSizes: isEverythingTested });
    const done = { name: 'set-up-done', path: '/setup' };
    states = [done, ...(isEverythingTested ? all : oneOfEachPage(all))];
  });

  test.for(Array.from({ length: parts }, (_, part) => part + 1))(
    `part %i of ${parts} of the pages has no fault of accessibility, overflow, console or weight`,
    async (part) => {
      const [from, to] = [part - 1, part].map((each) => Math.floor((each * states.length) / parts));
      const looked = states.slice(from, to);
      expect(looked.length).toBeGreaterThan(0);
      expect(await faultsOf(looked)).toEqual([]);
    },
  );
});

test('a figure without its sample and a change without its verdict are caught', async () => {
  const { page } = await newTab(await newContext(browser));
  await page.setContent(`<p>Cited in 48 %</p> <b data-n="315">47 %</b> <p>↑ 5 points</p>
    <p>= no real change</p> <p>1.3 on average</p>
    <section><i data-sample="300 320">of some answers</i> <b data-n="315">44 %</b></section>
    <section><i data-sample="300 310">of 300 to 310 answers</i> <b data-n="315">46 %</b></section>
    <h1 aria-describedby="s">now 45 %</h1><i id="s">of some answers</i> <b data-verdict="better">up</b>
    <b data-n="1315">48 % of 1,315 answers</b> <i data-verdict="up">↑ 5 points</i>
    <section><i id="t" data-sample="300 1320">of 300 to 1,320 answers each</i> <b data-n="315">48 %</b></section>
    <h2 aria-describedby="t">now 48 %</h2> <i class="scale">100 %</i> <p lang="de">50 % günstiger</p>`);
  expect(await words(page, figureFaults)).toEqual([
    'a figure without its sample: Cited in 48 %',
    'a change without its verdict: ↑ 5 points',
    'a change without its verdict: = no real change',
    'a figure without its sample: 1.3 on average',
    'a figure without its sample: now 45 %',
    'a figure that does not say its sample: 47 %',
    'a figure that does not say its sample: 44 %',
    'a figure that does not say its sample: 46 %',
    'a change with an unknown verdict: <b data-verdict="better">up</b>',
  ]);
});

/** The first state of each page, which needs nothing of an earlier one. */
function oneOfEachPage(states: readonly PageState[]): PageState[] {
  const first = new Map<string, PageState>();
  for (const state of states) {
    const { pathname } = new URL(state.path, installation.url);
    const page = pathname.replace(/^\/w\/[^/]+/, '').replace(/[^/]{20,}/, 'id');
    first.set(page, first.get(page) ?? state);
  }
  return [...first.values()];
}

async function faultsOf(states: readonly PageState[]): Promise<string[]> {
  const faults: string[] = [];
  for (const state of states) {
    const whose = state.person?.email ?? '';
    const tab =
      tabs.get(whose) ?? (await weighingTab(await contextOf(browser, installation, state)));
    tabs.set(whose, tab);
    const found = await inspect(tab, state).catch((error: unknown) => [String(error)]);
    faults.push(...found.map((fault) => `${state.name}: ${fault}`));
  }
  return faults;
}

async function weighingTab(context: BrowserContext): Promise<Tab> {
  const tab: Tab = { ...(await newTab(context)), weights: [], status: 0 };
  tab.page.on('response', (response) => {
    const request = response.request();
    if (request.isNavigationRequest()) {
      tab.weights.length = 0;
      tab.status = response.status();
    }
    const [url, type] = [response.url(), request.resourceType()];
    // A part that shows a running job requests the page again and again: nobody weighs that.
    const size = type === 'xhr' ? undefined : request.sizes();
    const weight = Promise.resolve(size).then((each) => ({
      url,
      type,
      bytes: each?.responseBodySize ?? 0,
    }));
    // What a page requests while it is left is weighed by nobody.
    weight.catch(() => {});
    tab.weights.push(weight);
  });
  return tab;
}

/** The looks at a state: one of the four by its name, so that no other state changes it. */
function looksAt(name: string): readonly Look[] {
  const at = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % allLooks.length;
  return isEverythingTested ? allLooks : allLooks.slice(at, at + 1);
}

/** Opens a page and says what is wrong with it in each look. */
async function inspect(tab: Tab, state: PageState): Promise<string[]> {
  const { page, said } = tab;
  said.length = 0;
  await page.setViewportSize({ width: firstLook.width, height: 900 });
  await page.emulateMedia({ colorScheme: firstLook.scheme });
  await page.goto(installation.url + state.path);
  await state.act?.(page);
  await page.waitForLoadState('load');
  const { status } = tab;
  const faults = weightFaults(await Promise.all(tab.weights), installation.url);
  if (status !== (state.status ?? 200)) faults.push(`status ${status}`);
  faults.push(...(await markupFaults(await page.content())));
  faults.push(...(await words(page, figureFaults)));
  await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
  await page.evaluate(axe);
  for (const { width, scheme } of looksAt(state.name)) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    const found = [...(await words(page, measure)), ...(await words(page, runAxe))];
    faults.push(...found.map((fault) => `${width} ${scheme}: ${fault}`));
  }
  const expected = status < 400 ? '' : 'Failed to load resource';
  faults.push(...said.filter((text) => expected === '' || !text.startsWith(expected)));
  return faults;
}

interface Weight {
  readonly url: string;
  readonly type: string;
  readonly bytes: number;
}

/**
 * What goes over the edge, text that is too small to read, and passwords that a password manager
 * could store under no name: a function for the page.
 */
const measure = `(() => {
  const found = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push('overflow: ' + scrollWidth + ' of ' + clientWidth);
  for (const element of document.querySelectorAll('body *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (hasText && size < 12) found.push(size + ' px: ' + element.textContent.slice(0, 30));
  }
  for (const form of document.forms) {
    const has = (selector) => form.querySelector('input' + selector) !== null;
    if (has('[type=password]') && !has('[autocomplete=username]')) found.push('a password without its username');
  }
  return found;
})()`;

const runAxe = `axe.run(document, {}).then(({ violations }) => violations.map(({ id, nodes }) =>
  'axe ' + id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`;

async function words(page: Page, expression: string): Promise<string[]> {
  return z.array(z.string()).parse(await page.evaluate(expression));
}

function weightFaults(weights: readonly Weight[], ours: string): string[] {
  const sum = (type: string) =>
    weights.filter((each) => each.type === type).reduce((total, { bytes }) => total + bytes, 0);
  const loaded = weights.filter(({ type }) => type !== 'xhr');
  const isOurs = (url: string) => url.startsWith(ours) || url.startsWith('data:');
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
