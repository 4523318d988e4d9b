import { answers } from '@overheard/contract';
import { expect, test } from 'vitest';
import { aWorkspace, importRows } from '../../../../test/answers/answers.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { idOf } from '../../../../test/stores/rows.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import type { Store } from '../../../storage/store.ts';

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

  test(
    'the file of answers has every answer of the filters with its text, ids and sources',
    { tags: ['once'] },
    async () => {
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
    },
  );

  test('the list of answers can be limited to answers that cite a site', async () => {
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
    expect(await listed('site=2.com')).toEqual([]);
    expect(await listed('site=b%C3%BCcher.example')).toEqual([idOf(3)]);
    // Between two sites of the stored JSON is a comma.
    for (const none of ['%2C', '%25']) {
      expect([none, (await visitor.get(`${path}?site=${none}`)).statusCode]).toEqual([none, 400]);
    }
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
      expect((await visitor.get(`${path}?cited=maybe`)).statusCode).toBe(400);
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
