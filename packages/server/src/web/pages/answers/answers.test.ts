import { answers } from '@overheard/contract';
import { expect, test } from 'vitest';
import { aWorkspace, importRows } from '../../../../test/answers/answers.ts';
import { nowMs } from '../../../../test/servers/api.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { idOf } from '../../../../test/stores/rows.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import type { Store } from '../../../storage/store.ts';
import { removeSubject } from '../../../workspaces/write-subject.ts';

const asked = { prompt: 'Which <b>CRM</b>\u202e?', run_at: '2026-11-19T12:00:00Z' };
const hostile =
  '\n**Acme** <script>alert(1)</script>\r\n\u{1f600} Globex\u202e\u0007 &amp; [x](javascript:alert(1))';

eachStore({ title: 'the pages of answers', onBoth: true }, (open) => {
  test('the list shows who is cited by rank, keeps its filters in links, and leads to the answer', async () => {
    const { visitor, path } = await aReader((await open()).store, [
      { ...asked, id: idOf(1), engine: 'chatgpt', answer: 'Globex, then Acme.' },
      { ...asked, id: idOf(2), engine: 'claude', answer: 'Globex alone.' },
      { ...asked, id: idOf(3), engine: 'claude', answer: 'No.', outcome: 'refused' },
    ]);
    const all = await visitor.get(path);
    expect(words(all.body)).toContain('Globex, <strong>Acme</strong>');
    expect(all.body).toContain('Which &lt;b&gt;CRM&lt;/b&gt;\ufffd?');
    const idsOf = async (query: string) => {
      const { body, statusCode } = await visitor.get(`${path}?${query}`);
      expect([query, statusCode]).toEqual([query, 200]);
      return [...body.matchAll(/answers\/([0-9a-f-]{36})/g)].map(([, id]) => id);
    };
    expect(await idsOf('cited=false')).toEqual([idOf(2)]);
    expect(await idsOf(`cited=true&subject_id=${idOf(2)}`)).toEqual([idOf(1), idOf(2)]);
    expect(await idsOf('outcome=refused')).toEqual([idOf(3)]);
    expect(await idsOf('engine=chatgpt&cited=&outcome=')).toEqual([idOf(1)]);
    expect(await idsOf('from=2026-11-20&to=2026-11-20')).toEqual([]);
    const { body } = await visitor.get(`${path}?engine=claude&cited=false`);
    expect(body).toContain(`answers/${idOf(2)}?engine=claude&amp;cited=false`);
    const csv = await visitor.get(`${path}?engine=claude&format=csv`);
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.body.trim().split(/\r?\n/)).toHaveLength(3);
  });

  test('the file of answers has every answer of the filters with its text, ids and sources', async () => {
    const rows = Array.from({ length: 230 }, (_, index) => ({
      ...asked,
      id: idOf(index + 1),
      engine: index < 225 ? 'chatgpt' : 'claude',
      answer: index === 0 ? '=Acme' : 'Acme.',
      sources: ['https://www.g2.com/crm'],
    }));
    const { visitor, path } = await aReader((await open()).store, rows);
    const { body } = await visitor.get(`${path}?engine=chatgpt&format=csv`);
    const [head, ...lines] = body.trim().split('\n');
    expect(head).toBe(answers.fields.join(','));
    expect(lines).toHaveLength(225);
    expect(new Set(lines.map((line) => line.slice(0, 36))).size).toBe(225);
    const first = lines.find((line) => line.startsWith(idOf(1))) ?? '';
    expect(first).toContain(",answered,'=Acme,");
    expect(first).toContain('https://www.g2.com/crm');
    expect((await visitor.get(`${path}?from=2026-11-20&format=csv`)).body).toBe(`${head}\n`);
  });

  test('the list of answers can be limited to answers that cite a site, and leads back to the site', async () => {
    const row = { ...asked, engine: 'chatgpt', answer: 'Globex.' };
    const { visitor, path } = await aReader((await open()).store, [
      { ...row, id: idOf(1), sources: ['https://www.g2.com/a'] },
      { ...row, id: idOf(2), sources: ['https://xg2.com/a', 'https://g2.com.example/'] },
      { ...row, id: idOf(3), answer: 'See https://g2.com/b and https://Bücher.example/a.' },
    ]);
    const listed = async (query: string) => {
      const { body } = await visitor.get(`${path}?${query}`);
      return [...body.matchAll(/answers\/([0-9a-f-]{36})/g)].map(([, id]) => id);
    };
    expect(await listed('site=g2.com')).toEqual([idOf(1), idOf(3)]);
    for (const same of ['WWW.G2.com', 'sub.g2.com.', 'https%3A%2F%2Fg2.com%2Fb', 'g2.com%3A8443']) {
      expect([same, await listed(`site=${same}`)]).toEqual([same, [idOf(1), idOf(3)]]);
    }
    expect(await listed('site=2.com')).toEqual([]);
    expect(await listed('site=b%C3%BCcher.example')).toEqual([idOf(3)]);
    // Between two sites of the stored JSON is a comma.
    for (const none of ['%2C', '%25', '%22', '%27', '%5D', '_', 'javascript%3Aalert(1)', '%00']) {
      const refused = await visitor.get(`${path}?site=${none}`);
      expect([none, refused.statusCode]).toEqual([none, 400]);
      expect(refused.body).toContain('It must be a site, such as example.com.');
    }
    const list = await visitor.get(`${path}?site=g2.com&weeks=12`);
    expect(words(list.body)).toMatch(/one site alone: <a href="[^"]*sources\/g2\.com\?weeks=12"/);
    expect(list.body).toContain(`answers/${idOf(1)}?weeks=12&amp;site=g2.com`);
    const site = await visitor.get(`${path.replace('answers', 'sources')}/g2.com?weeks=12`);
    expect(site.body).toContain(`${path}?weeks=12&amp;site=g2.com"`);
  });

  test('pages of the list follow each other by a cursor that holds for its filters alone', async () => {
    const { visitor, path } = await aReader(
      (await open()).store,
      Array.from({ length: 60 }, (_, index) => ({
        ...asked,
        run_at: new Date(Date.parse('2026-11-01T00:00:00Z') + index * 3_600_000).toISOString(),
        engine: 'chatgpt',
        answer: `Answer ${index}.`,
      })),
    );
    const first = (await visitor.get(path)).body;
    const next = /rel="next"\s+href="([^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = (await visitor.get(next)).body;
    const idsIn = (body: string) => body.match(/answers\/[0-9a-f-]{36}/g) ?? [];
    expect([idsIn(first).length, idsIn(second).length]).toEqual([50, 10]);
    expect(new Set([...idsIn(first), ...idsIn(second)]).size).toBe(60);
    expect((await visitor.get(`${next}&engine=claude`)).statusCode).toBe(400);
  });

  test('an answer is shown with every character, nothing of it acts, and each name has its rank', async () => {
    const { visitor, path } = await aReader((await open()).store, [
      {
        ...asked,
        id: idOf(1),
        engine: 'chatgpt',
        model: 'gpt\u202e-5',
        answer: hostile,
        locale: 'de-AT',
        sources: [
          { url: 'javascript:alert(1)', title: '<i>x</i>' },
          { url: 'https://www.globex.com/a', title: '' },
        ],
      },
    ]);
    const { body, statusCode } = await visitor.get(`${path}/${idOf(1)}?as=raw`);
    expect(statusCode).toBe(200);
    const [, shown = ''] =
      /<pre class="answer" dir="auto" lang="de">\n([^]*?)<\/pre>/.exec(body) ?? [];
    expect(shown).toContain('<span class="control" data-code="U+0007">\u0007</span>');
    expect(shown.replaceAll('  ', ' ')).toContain('<mark class="own" data-rank="1">Acme</mark>');
    expect(shown.replaceAll('  ', ' ')).toContain(
      '<mark class="rival" data-rank="2">Globex<span class="control" data-code="U+202E">\u202e</span></mark>',
    );
    expect(shown).toContain('&lt;script&gt;');
    expect(body).not.toMatch(/<script>|href="javascript/);
    expect(body.replace(shown, '')).not.toMatch(/\u202e/);
    expect(words(body)).toContain('named, 3 characters into the answer');
    expect(words(body)).toMatch(
      /text="“[^"]*Acme[^"]*” ChatGPT, 2026-11-19 12:00 UTC, asked “Which &lt;b&gt;CRM&lt;\/b&gt;\ufffd\?”: https:\/\/overheard\.example\.com\/w\/[^"]*"/,
    );
    expect(body).toMatch(/a competitor’s/);
    expect(body).not.toContain('<h2>Evidence</h2>');
  });

  test('text of the page around an answer is shown grey, with a word about it', async () => {
    const end = 'AI responses may include mistakes. Learn more';
    const answer = `\u{1f600} Acme. ${end}`;
    const { visitor, path } = await aReader((await open()).store, [
      { ...asked, id: idOf(1), engine: 'google_ai_mode', answer },
      { ...asked, id: idOf(2), engine: 'chatgpt', answer },
    ]);
    const { body } = await visitor.get(`${path}/${idOf(1)}?as=raw`);
    expect(body).toContain(`. <span class="sign">${end}</span></pre>`);
    expect(body).toContain('The page’s own text around the answer is grey and does not count.');
    const other = (await visitor.get(`${path}/${idOf(2)}?as=raw`)).body;
    expect(other).toContain(`. ${end}</pre>`);
    expect(other).not.toContain('is grey');
  });

  test('newer and older answers follow the filters of the list', async () => {
    const { visitor, path } = await aReader(
      (await open()).store,
      [1, 2, 3, 4].map((day) => ({
        ...asked,
        id: idOf(day),
        run_at: `2026-11-1${day}T12:00:00Z`,
        engine: day === 3 ? 'claude' : 'chatgpt',
        answer: 'Acme.',
      })),
    );
    const ways = async (query: string) => {
      const { body } = await visitor.get(`${path}/${idOf(2)}${query}`);
      return ['prev', 'next'].map(
        (rel) => new RegExp(`rel="${rel}"\\s+href="[^"]*answers/([^"]*)"`).exec(body)?.[1],
      );
    };
    expect(await ways('')).toEqual([idOf(3), idOf(1)]);
    expect(await ways('?engine=chatgpt')).toEqual([
      `${idOf(4)}?engine=chatgpt`,
      `${idOf(1)}?engine=chatgpt`,
    ]);
  });

  test('two engines are read side by side, and never another prompt', async () => {
    const { visitor, path } = await aReader((await open()).store, [
      { ...asked, id: idOf(1), engine: 'chatgpt', answer: 'Acme.' },
      {
        ...asked,
        id: idOf(2),
        engine: 'claude',
        answer: 'Globex.',
        run_at: '2026-11-19T15:00:00Z',
      },
      { ...asked, id: idOf(3), engine: 'claude', answer: 'Later.', run_at: '2026-11-20T09:00:00Z' },
      { ...asked, id: idOf(4), prompt: 'Other?', engine: 'claude', answer: 'Acme.' },
    ]);
    const { body } = await visitor.get(`${path}/${idOf(1)}`);
    expect(body).toContain(`answers/${idOf(1)}?beside=${idOf(2)}`);
    expect(words(body)).toContain('3 hours later');
    const both = await visitor.get(`${path}/${idOf(1)}?beside=${idOf(2)}`);
    expect(both.body.match(/class="answer"/g)).toHaveLength(2);
    expect((await visitor.get(`${path}/${idOf(1)}?beside=${idOf(4)}`)).statusCode).toBe(404);
    expect((await visitor.get(`${path}/${idOf(1)}?beside=x`)).statusCode).toBe(400);
  });

  test(
    'refused, empty and failed answers say so, and a run that is not there is not found',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const { visitor, path } = await aReader(store, [
        { ...asked, id: idOf(1), engine: 'chatgpt', answer: 'I cannot.', outcome: 'refused' },
        { ...asked, id: idOf(2), engine: 'claude', answer: '', outcome: 'empty' },
        { ...asked, id: idOf(3), engine: 'grok', answer: 'Acme is', outcome: 'failed' },
      ]);
      const read = async (number: number) =>
        words((await visitor.get(`${path}/${idOf(number)}`)).body);
      expect(await read(1)).toContain('The engine refused to answer');
      expect(await read(1)).toContain('I cannot.');
      expect(await read(2)).toContain('The answer has no text.');
      expect(await read(3)).toContain('no figure counts it');
      const other = await aReader(store, []);
      for (const address of [
        `${path}/${idOf(9)}`,
        `${path}/nothing`,
        `${other.path}/${idOf(1)}`,
        `${path.replace(/w[0-9a-f]{8}/, 'nobody')}/${idOf(1)}`,
      ]) {
        expect([address, (await visitor.get(address)).statusCode]).toEqual([address, 404]);
      }
      for (const query of ['x=1', 'cited=maybe', 'engine=a&engine=b', 'run_id=1', 'cursor=abc']) {
        expect([query, (await visitor.get(`${path}?${query}`)).statusCode]).toEqual([query, 400]);
      }
    },
  );

  test('a prompt that is longer than a title is shown whole on its page and above its answers', async () => {
    const prompt = `Which CRM? ${'Please. '.repeat(100)}The end?`;
    const { visitor, path } = await aReader((await open()).store, [
      { ...asked, id: idOf(1), prompt, engine: 'chatgpt', answer: 'Acme.' },
    ]);
    const answer = (await visitor.get(`${path}/${idOf(1)}`)).body;
    expect(answer).toContain('The end?</p>');
    const [, id = ''] = /prompts\/([0-9a-f-]{36})/.exec(answer) ?? [];
    const page = await visitor.get(`${path.replace('answers', 'prompts')}/${id}`);
    expect(page.body).toContain('The end?</p>');
  });

  test(
    'an answer of two megabytes is shown whole, with the first mention of each marked',
    { tags: ['slow', 'once'] },
    async () => {
      const { store } = await open();
      const answer = `Acme is good. ${'Globex is **good**. '.repeat(100_000)}`;
      const { visitor, path, workspaceId } = await aReader(store, [
        { ...asked, id: idOf(1), engine: 'chatgpt', answer },
      ]);
      const { body } = await visitor.get(`${path}/${idOf(1)}`);
      expect(body.length).toBeGreaterThan(answer.length);
      expect(body).toContain('only the first mention');
      expect(body.match(/<mark /g)).toHaveLength(2);
      await removeSubject(store, workspaceId, idOf(2), { clock: () => nowMs });
      expect((await visitor.get(`${path}/${idOf(1)}`)).statusCode).toBe(200);
    },
  );
});

async function aReader(store: Store, rows: readonly object[]) {
  const web = await startWeb(store);
  const workspaceId = await aWorkspace(store);
  if (rows.length > 0) await importRows(store, workspaceId, rows);
  const person = await newPerson(store, { workspaceId, role: 'viewer', isOperator: true });
  const path = `/w/w${workspaceId.slice(0, 8)}/answers`;
  return { visitor: new Visitor(web, person), path, workspaceId };
}

function words(body: string): string {
  return body.replaceAll(/\s+/g, ' ');
}
