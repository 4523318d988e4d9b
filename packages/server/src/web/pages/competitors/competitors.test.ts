import { shares } from '@overheard/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { aRunner, reached } from '../../../../test/commands/jobs.ts';
import { addSubject, importRows, now } from '../../../../test/answers/answers.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { randomAnswers } from '../../../../test/answers/random-answers.ts';
import { filled } from '../../../../test/answers/reporting.ts';
import { idOf } from '../../../../test/stores/rows.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';
import { Visitor, hiddenField, startWeb } from '../../../../test/browsers/web.ts';
import { percent } from '../../../values/figure-words.ts';
import { amount } from '../../../values/plural.ts';

const clock = () => now;

async function aVisitor(open: Open, role: 'viewer' | 'editor' = 'editor') {
  const here = await filled(open);
  const { store, workspaceId, slug } = here;
  const runner = aRunner(here, { clock });
  const web = await startWeb(store, { clock, runner });
  const visitor = new Visitor(web, await newPerson(store, { workspaceId, role, clock }));
  const get = (path: string) => visitor.get(`/w/${slug}/${path}`);
  const page = async (path: string) => (await get(path)).body.replaceAll(/\s+/g, ' ');
  const post = (path: string, fields: Record<string, string>) =>
    visitor.post(`/w/${slug}/${path}`, fields);
  return { ...here, get, page, post };
}

eachStore('the page of competitors', (open) => {
  test('the page of competitors shows the filtered figures of the API, and gives them as a file', async () => {
    const { page, read, get } = await aVisitor(open);
    const query = 'engine=gemini&locale=de-DE&competitor_prompts=exclude';
    const rows = async (by: string) => {
      const listed = z.object({ shares: shares.row.array() });
      return listed.parse(await read(`shares?by=${by}&${query}`)).shares;
    };
    const [total, engines] = [await rows('total&surface=app'), await rows('engine')];
    const shown = await page(`competitors?${query}`);
    expect(total.length).toBe(3);
    for (const row of total) {
      expect(shown).toContain(`data-n="${row.runs}" data-bare><b>${percent(row.rate ?? 0)}</b>`);
    }
    expect(shown).toContain(`of ${amount(total[0]?.runs ?? 0, 'answer')}</span>`);
    const lines = (await get(`competitors?${query}&format=csv`)).body.trim().split('\n');
    expect(lines[0]?.trim()).toBe(shares.fields.join(','));
    expect(lines).toHaveLength(1 + total.length + engines.length);
  });

  test('the comparison with a competitor counts each answer once by who is cited', async () => {
    const { page, get } = await aVisitor(open);
    const truths = randomAnswers(600, { beforeMs: now })
      .map(({ truth }) => truth)
      .filter(
        ({ engine, outcome, branded, run_at: at }) =>
          !engine.endsWith('_api') && outcome === 'answered' && !branded && at >= '2026-10-24',
      );
    const cites = (truth: (typeof truths)[number], number: number) =>
      truth.cited.some(({ subject_id: id }) => id === idOf(number));
    const count = (hasBrand: boolean, hasRival: boolean) =>
      truths.filter((truth) => cites(truth, 1) === hasBrand && cites(truth, 2) === hasRival).length;
    const shown = await page(`competitors/${idOf(2)}`);
    const figures = [...shown.matchAll(/<\/i>([^<]*)<\/dt> <dd>(\d+)<\/dd>/g)];
    expect(figures.map(([, words, value]) => [words, Number(value)])).toEqual([
      ['Only Globex', count(false, true)],
      ['Both', count(true, true)],
      ['Only Acme', count(true, false)],
      ['Neither', count(false, false)],
    ]);
    expect(shown).toContain(`of ${amount(truths.length, 'answer')}`);
    const { body } = await get(`competitors/${idOf(2)}?format=csv`);
    expect(body).toContain('Only Globex,Both,Only Acme,Neither');
    expect(await page(`competitors/${idOf(2)}?engine=nobody`)).toContain('Acme and Globex');
    const lines = body
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(',').slice(-5).map(Number));
    const sums = [0, 1, 2, 3, 4].map((at) => lines.reduce((sum, line) => sum + (line[at] ?? 0), 0));
    expect(sums).toEqual([
      truths.length,
      count(false, true),
      count(true, true),
      count(true, false),
      count(false, false),
    ]);
    const sorted = lines.map(([, only = 0]) => only);
    expect(sorted).toEqual(sorted.toSorted((left, right) => right - left));
  });

  test('the sources of a competitor are counted over the answers that show it and not the brand', async () => {
    const { page, store, workspaceId } = await aVisitor(open);
    const row = { prompt: 'Which tool?', engine: 'chatgpt', locale: 'sv-SE' };
    const sources = ['https://g2.com/x', 'https://g2.com/y'];
    await importRows(store, workspaceId, [
      { ...row, run_at: '2026-11-18T01:00:00Z', answer: 'Globex.', sources },
      { ...row, run_at: '2026-11-18T02:00:00Z', answer: 'Globex, Acme.', sources },
      { ...row, run_at: '2026-11-18T03:00:00Z', answer: 'Acme.', sources },
      { ...row, run_at: '2026-11-18T04:00:00Z', answer: 'No', outcome: 'refused', sources },
    ]);
    expect(await page(`competitors/${idOf(2)}?locale=sv-SE`)).toMatch(
      />g2\.com\/x<\/a ?> ?<\/td> ?<td[^>]*>1<\/td>.*>g2\.com\/y<\/a/,
    );
  });

  test('the comparison says who leads, and only beyond chance', async () => {
    const { page, store, workspaceId } = await aVisitor(open);
    expect(await page(`competitors/${idOf(2)}`)).toMatch(
      /<h1[^>]*>(?:Neither Acme nor Globex leads for sure|(?:Acme|Globex) leads <span class="(?:up|down)")/,
    );
    await store.writer.deleteFrom('answers').where('workspace_id', '=', workspaceId).execute();
    await store.writer.deleteFrom('runs').where('workspace_id', '=', workspaceId).execute();
    await store.writer.deleteFrom('run_counts').where('workspace_id', '=', workspaceId).execute();
    const rows = (prompts: number) =>
      Array.from({ length: prompts * 10 }, (_, index) => ({
        prompt: `Which tool suits team ${index % prompts}?`,
        engine: 'chatgpt',
        run_at: new Date(now - index * 3_600_000).toISOString(),
        answer: index % 3 === 0 ? 'Acme and Globex.' : index % 7 === 0 ? 'Acme.' : 'Globex.',
      }));
    await importRows(store, workspaceId, rows(8));
    expect(await page(`competitors/${idOf(2)}`)).toContain('Too few prompts to say whether');
    await importRows(store, workspaceId, rows(12));
    expect(await page(`competitors/${idOf(2)}`)).toMatch(
      /Globex leads <span class="down" data-verdict="down">by \d+ points<\/span>, more than chance would give/,
    );
    expect(await page(`competitors/${idOf(2)}`)).toMatch(/Globex wins \d+ prompts: the clearest/);
  });

  test('neither of the two wins a prompt whose answers were not all judged for both', async () => {
    const { page, store, workspaceId } = await aVisitor(open);
    const rows = (prompt: string, words: string, day: string) =>
      Array.from({ length: 20 }, (_, hour) => ({
        prompt,
        engine: 'chatgpt',
        locale: 'sv-SE',
        run_at: `${day}T${String(hour).padStart(2, '0')}:00:00Z`,
        answer: words,
      }));
    await importRows(
      store,
      workspaceId,
      rows('Which tool is old?', 'Acme and Hooli.', '2026-11-17'),
    );
    await addSubject(store, workspaceId, { name: 'Hooli', number: 4 });
    await importRows(store, workspaceId, [
      ...rows('Which tool is old?', 'Acme and Hooli.', '2026-11-18'),
      ...rows('Which tool is new?', 'Hooli.', '2026-11-18'),
    ]);
    const shown = await page(`competitors/${idOf(4)}?locale=sv-SE`);
    expect(shown).toContain('Not all answers were judged for Hooli');
    expect(shown).toMatch(
      /Hooli wins 1 prompt<.*"Acme"[^>]*><span[^>]*><b>0 %<.*"Hooli"[^>]*><span[^>]*><b>100 %</,
    );
    expect(shown).toContain('Acme wins no prompts');
  });

  test('the brand, an unknown id and another workspace’s competitor are not found', async () => {
    const { get, store, workspaceId } = await aVisitor(open);
    await store.writer
      .updateTable('subjects')
      .set({ workspace_id: 'another' })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', idOf(3))
      .execute();
    for (const id of [idOf(1), idOf(3), idOf(9), 'x', '%27']) {
      expect((await get(`competitors/${id}`)).statusCode).toBe(404);
    }
    expect((await get(`competitors/${idOf(2)}?by=page`)).statusCode).toBe(400);
  });

  test(
    'names that nobody tracks are found by a job, tracked through the form with its preview, dismissed and taken back',
    { tags: ['slow'] },
    async () => {
      const { page, post, get, store, workspaceId, slug } = await aVisitor(open);
      await importRows(
        store,
        workspaceId,
        [1, 2, 3, 4].map((hour) => ({
          prompt: 'Which tool?',
          engine: 'chatgpt',
          run_at: `2026-11-18T0${hour}:00:00Z`,
          answer: `I would shortlist Hooli for team ${hour}. Hooli is the usual choice; see https://hooli.com/x.`,
        })),
      );
      const form = hiddenField(await get('competitors'), 'form');
      expect((await post('competitors/look', { form })).headers.location).toBe(
        `/w/${slug}/competitors`,
      );
      expect((await post('competitors/look', { form })).statusCode).toBe(303);
      expect(await reached(store, { workspaceId, id: form })).toMatchObject({ state: 'done' });
      const found = await page('competitors');
      expect(found).toMatch(/Found in the latest \d+ counted answers, \d+ \w+ \d{4}/);
      expect(found).toContain(
        `href="/w/${slug}/settings/subjects/new?name=Hooli&amp;domain=hooli.com"`,
      );
      const track = await page('settings/subjects/new?name=Hooli&domain=hooli.com');
      expect(track).toContain('What it would do');
      expect(track).toMatch(/Comes[\s\S]*Track it, and count the stored answers again/);
      expect(track).toContain('value="Hooli"');

      await post('competitors/dismiss', { name: 'Hooli', do: 'dismiss' });
      await post('competitors/dismiss', { name: 'Hooli', do: 'dismiss' });
      const after = await page('competitors');
      expect(after).not.toContain('subjects/new?name=Hooli');
      expect(after).toContain('1 dismissed name');
      await post('competitors/dismiss', { name: 'Hooli', do: 'restore' });
      expect(await page('competitors')).toContain('subjects/new?name=Hooli');
      const history = await page('settings/history');
      expect(
        history.match(/(dismissed a name|restored a dismissed name): <strong>Hooli/g),
      ).toHaveLength(2);
    },
  );
});
