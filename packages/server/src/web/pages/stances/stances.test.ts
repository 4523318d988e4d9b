import { expect, test } from 'vitest';
import { now } from '../../../../test/answers/answers.ts';
import {
  aJudgedWorkspace,
  aStance,
  judged,
  writeStances,
} from '../../../../test/answers/stances.ts';
import type { TestStance } from '../../../../test/answers/stances.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';

const clock = () => now;

async function aVisitor(open: Open, rows?: readonly TestStance[]) {
  const { store } = await open({ clock });
  const workspaceId = await aJudgedWorkspace(store, rows);
  const web = await startWeb(store, { clock });
  const visitorOf = async (role: 'viewer' | 'editor' | 'admin') =>
    new Visitor(web, await newPerson(store, { workspaceId, role, clock }));
  const path = `/w/w${workspaceId.slice(0, 8)}/stances`;
  const viewer = await visitorOf('viewer');
  /** The content of the page, or its file. */
  const page = async (query = '', by = viewer) => {
    const body = (await by.get(`${path}${query}`)).body.replaceAll(/\s+/g, ' ');
    return /<main.*<\/main>/.exec(body)?.[0] ?? body;
  };
  return { store, workspaceId, visitorOf, path, page };
}

/** The text of markup, without tags. */
function textOf(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('\u00a0', ' ');
}

eachStore('the page of stances', (open) => {
  test('the first sentence says how often the brand is recommended and warned against, beside the best rival', async () => {
    const { page } = await aVisitor(open);
    const body = await page();
    const [, story = ''] = /<h1[^>]*>(.*?)<\/h1>/.exec(body) ?? [];
    expect(textOf(story).trim()).toMatch(
      /^Acme is recommended in 5 of 9 judged answers that cite it \(56 %, \d+ to \d+\); 1 warns against it\. Globex is recommended in 5 of 10 \(50 %, \d+ to \d+\)\.$/,
    );
    expect(textOf(body)).toMatch(/kappa 1\.00 \(0\.\d\d to 1\.00\) over 10 labels/);
    expect(body).toMatch(/SMALL agencies/);
    expect(body).toMatch(/Avoid Acme/);
    expect(body).toMatch(/href="[^"]*answers\?subject_id=[^"]*&amp;stance=advised_against"/);
  });

  test('an unchecked judge shows quotes, no figures, and the way to check it for those who may', async () => {
    const { page, visitorOf } = await aVisitor(open, judged);
    const body = await page();
    expect(textOf(body)).toContain('Nobody has checked the judge yet');
    expect(body).toContain('Avoid Acme');
    expect(body).not.toMatch(/<table|data-n=/);
    expect(textOf(body)).toContain('An editor can check it.');
    expect(await page('', await visitorOf('editor'))).toContain('/stances/check"');
  });

  test('quotes and purposes of answers are text on the page', async () => {
    const hostile = '<script>alert(1)</script>\u202e';
    const { page, store, workspaceId } = await aVisitor(open);
    await writeStances(store, workspaceId, [
      aStance(7, 0, {
        subject: 'Globex',
        stance: 'advised_against',
        purpose: hostile,
        quote: hostile,
      }),
    ]);
    const body = await page();
    expect(body).toContain('&lt;script&gt;');
    expect(body).not.toContain('<script>alert');
  });
});
