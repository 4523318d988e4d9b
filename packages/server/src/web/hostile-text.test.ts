import { expect, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../test/answers/answers.ts';
import { writeStances } from '../../test/answers/stances.ts';
import { newPerson } from '../../test/browsers/people.ts';
import { aHit, anAction, idOf, writeRows } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Open } from '../../test/stores/stores.ts';
import { Visitor, startWeb } from '../../test/browsers/web.ts';
import { deriveActions } from '../answers/actions/derive.ts';
import { listActions } from '../storage/queries/list-actions.ts';
import { writeReferrals } from '../crawlers/referrals/referrals.ts';
import { publishPeriod } from '../publishing/publish-report.ts';
import { writeWorkspace } from '../storage/write.ts';
import { listSubjects } from '../workspaces/subject.ts';
import { shows } from './pages/crawlers/crawler-table.ts';

const clock = () => now;
const turned = '\u202e';
const long = `\uff1d1+1 ${turned}<script>alert(1)</script> ${'x'.repeat(99_000)}`;

eachStore({ title: 'foreign text on pages', onBoth: true }, (open) => {
  test(
    'a prompt of 100,000 characters that turns the direction of reading makes no list long or reversed',
    { tags: ['slow'] },
    async () => {
      const { visitor, store, workspaceId, slug } = await aVisitor(open);
      const subjects = await listSubjects(store.reader, workspaceId);
      const gaps = await listActions(store.reader, workspaceId, {});
      expect(gaps.length).toBeGreaterThan(0);
      const paths = [
        '',
        'prompts',
        'answers',
        'competitors',
        ...subjects.slice(1).map(({ id }) => `competitors/${id}`),
        'gaps',
        ...gaps.map(({ id }) => `gaps/${id}`),
      ];
      const shown: string[] = [];
      for (const path of paths) {
        const { statusCode, body } = await visitor.get(`/w/${slug}/${path}`);
        expect([path, statusCode]).toEqual([path, 200]);
        expect([path, body.length < 200_000, unisolated(body).includes(turned)]).toEqual([
          path,
          true,
          false,
        ]);
        expect(body).not.toContain('<script>');
        if (body.includes('&lt;script&gt;')) shown.push(path.split('/')[0] ?? '');
      }
      expect([...new Set(shown)]).toEqual(['', 'prompts', 'answers', 'competitors', 'gaps']);
    },
  );

  test('no cell of a table has over 100 letters of a foreign text, which is whole in its title', async () => {
    const { visitor, slug } = await aHostileWorkspace(open);
    const seen = new Set<string>();
    for (const path of tablePaths) {
      const { statusCode, body } = await visitor.get(`/w/${slug}/${path}`);
      expect([path, statusCode]).toEqual([path, 200]);
      for (const [cell] of body.matchAll(/<t([dh])\b[^]*?<\/t\1\s*>/g)) {
        const words = cell.replaceAll(/<[^>]*>/g, '');
        expect([path, /ж{101}|(?:%D0%B6){17}/.test(words)]).toEqual([path, false]);
        for (const [, column = ''] of words.matchAll(/(\w+):ж/g)) {
          seen.add(column);
          const title = new RegExp(`title="[^"]*${foreign(column)}`);
          expect([column, title.test(cell)]).toEqual([column, true]);
        }
      }
    }
    expect([...seen].toSorted()).toEqual([...foreignColumns].toSorted());
  });

  test('no gap in a list has over 240 letters of a foreign text', { tags: ['once'] }, async () => {
    const { visitor, slug } = await aHostileWorkspace(open);
    for (const path of ['', 'gaps']) {
      const { body } = await visitor.get(`/w/${slug}/${path}`);
      const words = body.replaceAll(/<[^>]*>/g, '');
      expect([path, /gap:ж{100}/.test(words), /gap:ж{240}/.test(words)]).toEqual([
        path,
        true,
        false,
      ]);
    }
  });

  test(
    'a cell that begins with a full-width sign has an apostrophe before it in the file',
    { tags: ['once'] },
    async () => {
      const { visitor, slug } = await aVisitor(open);
      const { body } = await visitor.get(`/w/${slug}/prompts?format=csv`);
      expect(body).toContain("'\uff1d1+1");
      expect(body).not.toMatch(/^"?\uff1d/m);
    },
  );
});

const foreignColumns = [
  'bot',
  'company',
  'host',
  'path',
  'person',
  'prompt',
  'proof',
  'purpose',
  'query',
  'read',
  'referred',
  'rival',
  'title',
] as const;

/** A text of 8,000 letters that names its column. */
function foreign(column: string): string {
  // Names of subjects are searched for, and have a limit of their own.
  return `${column}:${'ж'.repeat(column === 'rival' ? 150 : 7990)}`;
}

const tablePaths = [
  '',
  'prompts',
  'answers',
  'competitors',
  `competitors/${idOf(2)}`,
  'sources',
  'sources?by=page',
  'searches',
  'stances',
  `reports?id=${idOf(60)}`,
  `gaps/${idOf(50)}`,
  'settings/members',
  ...shows.map((by) => `crawlers?by=${by}`),
];

async function aHostileWorkspace(open: Open) {
  const { store } = await open({ clock });
  const workspaceId = await aWorkspace(store, {
    subjects: [{ name: 'Acme', domain: 'acme.com' }, { name: foreign('rival') }],
  });
  const at = new Date(now - 3_600_000).toISOString();
  await importRows(store, workspaceId, [
    {
      prompt: foreign('prompt'),
      engine: 'chatgpt',
      run_at: at,
      answer: `${foreign('rival')} suits.`,
      sources: [{ url: `https://g2.com/${foreign('url')}`, title: foreign('title') }],
      queries: [foreign('query')],
    },
  ]);
  const others = Array.from({ length: 9 }, (_, hour) =>
    new Date(now - (hour + 2) * 3_600_000).toISOString(),
  );
  const other = { prompt: 'Which?', engine: 'chatgpt', answer: `${foreign('rival')}.` };
  await importRows(
    store,
    workspaceId,
    others.map((moment) => ({ ...other, run_at: moment })),
  );
  const judged = { subject: foreign('rival'), quote: foreign('quote') };
  const praised = { stance: 'recommended_for', label: 'recommended_for' } as const;
  const warned = { stance: 'advised_against', label: 'advised_against' } as const;
  await writeStances(store, workspaceId, [
    { ...judged, ...praised, run_at: at, purpose: foreign('purpose') },
    ...others.map((moment) => ({ ...judged, ...warned, run_at: moment })),
  ]);
  const evidence = JSON.stringify({ reason: 'no_list', detail: foreign('proof') });
  const hit = { status: 403, verification: 'unverified', hit_at: at, evidence } as const;
  await writeRows(store, workspaceId, {
    actions: [
      anAction({
        id: idOf(50),
        recommendation: `Get cited: by ${foreign('gap')}`,
        created_at: at,
      }),
    ],
    hits: [
      aHit({ ...hit, path: foreign('path') }),
      aHit({ ...hit, host: foreign('host') }),
      aHit({ ...hit, bot_name: foreign('bot'), bot_company: foreign('company') }),
      aHit({ ...hit, host: 'acme.com', path: `/${foreign('read')}`, verification: 'verified' }),
    ],
  });
  await writeWorkspace(store, workspaceId, async (transaction) => {
    const visit = {
      id: 'a',
      date: '2026-11-18',
      host: 'acme.com',
      path: `/${foreign('referred')}`,
    };
    await writeReferrals(store, transaction, workspaceId, [{ ...visit, engine: 'chatgpt' }]);
    return { hasChanged: true };
  });
  const { slug } = await store.reader
    .selectFrom('workspaces')
    .select('slug')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const november = { from: '2026-11-01', to: '2026-11-20' };
  const published = { id: idOf(60), ...november, publishedBy: foreign('publisher') };
  await publishPeriod(store, workspaceId, published, { userId: null, clock });
  await newPerson(store, { workspaceId, name: foreign('person'), clock });
  const web = await startWeb(store, { clock });
  return { visitor: new Visitor(web, await newPerson(store, { workspaceId, clock })), slug };
}

/** A page without the `bdi` elements, which isolate the direction of foreign text. */
function unisolated(page: string): string {
  return page.replaceAll(/<[^>]*\bdata-foreign\b[^>]*>[^<]*/g, '');
}

async function aVisitor(open: Open) {
  const { store } = await open({ clock });
  const workspaceId = await aWorkspace(store);
  const { slug } = await store.reader
    .selectFrom('workspaces')
    .select('slug')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const run = (index: number) => ({
    prompt: long,
    engine: 'chatgpt',
    run_at: new Date(now - index * 3_600_000).toISOString(),
    answer: `${turned}Globex.`,
  });
  await importRows(
    store,
    workspaceId,
    Array.from({ length: 12 }, (_, index) => run(index)),
  );
  await deriveActions(store, { workspaceId, windowDays: 28, clock });
  const web = await startWeb(store, { clock });
  const visitor = new Visitor(web, await newPerson(store, { workspaceId, clock }));
  return { store, workspaceId, slug, visitor };
}
