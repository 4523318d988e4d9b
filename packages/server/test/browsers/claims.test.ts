import type { Browser } from 'playwright-core';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillDemo } from '../../src/demo/fill.ts';
import { addDays, utcDay } from '../../src/values/time/utc-day.ts';
import { newContext, newTab, openBrowser } from './browser.ts';
import { claims } from './claims.ts';
import { figureFaults } from './figure-faults.ts';
import { signIn, startInstallation } from './installation.ts';
import type { Installation } from './installation.ts';
import { newPerson } from './people.ts';
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

test('the pages of the demo claim what SQL says about its runs, gaps and hits', async () => {
  const { store, clock, url } = installation;
  const { workspace } = await fillDemo(store, { clock, signal: new AbortController().signal });
  await setUpCollecting(store, workspace.id, clock);
  const person = await newPerson(store, { workspaceId: workspace.id, clock });
  const { page } = await newTab(await newContext(browser));
  await signIn(installation, page, person);
  const today = utcDay(clock());
  const facts: Readonly<Record<string, string>> = {
    ':workspace': workspace.id,
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

test.each([
  ['<p>Cited in 48 %</p>', 'a figure without its sample: Cited in 48 %'],
  ['<b class="figure" data-n="315">48 %</b>', 'a figure that does not say its sample: 48 %'],
  ['<p>↑ 5 points</p>', 'a change without its verdict: ↑ 5 points'],
  ['<p>= no real change</p>', 'a change without its verdict: = no real change'],
  [
    '<section><i data-sample="300 310">of 300 to 310 answers</i></section><section><b data-n="305">48 %</b></section>',
    'a figure that does not say its sample: 48 %',
  ],
  [
    '<section><i data-sample="300 310">of 300 to 310 answers</i> <b data-n="315">48 %</b></section>',
    'a figure that does not say its sample: 48 %',
  ],
  [
    '<section><i data-sample="300 320">of some answers</i> <b data-n="315">48 %</b></section>',
    'a figure that does not say its sample: 48 %',
  ],
  [
    '<h1 aria-describedby="s">now 48 %</h1><i id="s">of some answers</i>',
    'a figure without its sample: now 48 %',
  ],
  ['<p>1.3 on average</p>', 'a figure without its sample: 1.3 on average'],
  [
    '<b data-verdict="better">up</b>',
    'a change with an unknown verdict: <b data-verdict="better">up</b>',
  ],
])('a planted figure is caught: %s', async (markup, fault) => {
  const { page } = await newTab(await newContext(browser));
  await page.setContent(markup);
  expect(await page.evaluate(figureFaults)).toEqual([fault]);
});

test('a figure with its sample, a verdict, an axis and what an engine said are no faults', async () => {
  const { page } = await newTab(await newContext(browser));
  await page.setContent(`<b data-n="1315">48 % of 1,315 answers</b> <i data-verdict="up">↑ 5 points</i>
    <section><i id="s" data-sample="300 1320">of 300 to 1,320 answers each</i> <b data-n="315">48 %</b></section>
    <h1 aria-describedby="s">now 48 %</h1>
    <i class="scale">100 %</i> <p lang="de">50 % günstiger</p> <p>The band is its 95 % interval.</p>`);
  expect(await page.evaluate(figureFaults)).toEqual([]);
});
