import { beforeAll, expect, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../../test/answers/answers.ts';
import { aHit, writeRows } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { Store } from '../../storage/store.ts';
import { setSourceKind } from '../../workspaces/source-kinds.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { deriveActions } from './derive.ts';
import { explainAction } from './explain-action.ts';
import { parseParts } from '../../storage/queries/action-parts.ts';
import { listActions } from '../../storage/queries/list-actions.ts';
import type { StoredAction } from '../../storage/queries/list-actions.ts';

interface Planted {
  readonly prompt: string;
  readonly engine: string;
  /** How many of the 28 runs of a window have the first answer; the others have the second. */
  readonly first: number;
  readonly answers: readonly [first: string, second: string];
  readonly sources?: readonly string[];
  /** How many windows ago. */
  readonly back?: number;
}

const windowDays = 28;

function runsOf({ prompt, engine, first, answers, sources = [], back = 0 }: Planted): object[] {
  return Array.from({ length: windowDays }, (_, day) => ({
    prompt,
    engine,
    run_at: new Date(now - (back * windowDays + day) * dayMs - 3_600_000).toISOString(),
    // Spread over the window, so that no week differs from another.
    answer: (day * first) % windowDays < first ? answers[0] : answers[1],
    sources,
  }));
}

const page = 'https://www.g2.com/best-crm/?utm_source=chatgpt';
const brandFirst = ['Acme, then Globex.', 'Acme.'] as const;

const planted: readonly Planted[] = [
  // One engine never cites the brand. The figures of all engines together do not show it.
  { prompt: 'Gap?', engine: 'claude', first: 0, answers: ['Acme.', 'Globex.'] },
  { prompt: 'Gap?', engine: 'chatgpt', first: 24, answers: ['Acme.', 'Globex.'] },
  { prompt: 'Gap?', engine: 'gemini', first: 24, answers: ['Acme.', 'Nobody.'] },
  // The citation rate falls from 80 to 40 %.
  { prompt: 'Decline?', engine: 'chatgpt', first: 11, answers: ['Acme.', 'Globex.'] },
  { prompt: 'Decline?', engine: 'chatgpt', first: 22, answers: ['Acme.', 'Globex.'], back: 1 },
  // Linked, never named.
  {
    prompt: 'Linked?',
    engine: 'perplexity',
    first: 28,
    answers: ['This vendor.', ''],
    sources: ['https://acme.com/pricing', 'https://www.acme.com/reviews'],
  },
  // Five prompts are lost to one page.
  ...['One', 'Two', 'Three', 'Four', 'Five'].map((word) => ({
    prompt: `${word} lost?`,
    engine: 'chatgpt',
    first: 28,
    answers: ['Globex.', ''] as const,
    sources: [page, 'https://globex.com/tour', `https://blog.example/${word}`],
  })),
  // The brand has rank 2 in every answer.
  { prompt: 'Second?', engine: 'chatgpt', first: 28, answers: ['Globex, then Acme.', ''] },
  // Nothing is wrong.
  { prompt: 'Fine?', engine: 'chatgpt', first: 14, answers: brandFirst },
];

const byText = (left: string, right: string): number => (left < right ? -1 : 1);

eachStore('actions of a workspace with planted truths', (open) => {
  let store: Store;
  let workspaceId: string;
  let actions: StoredAction[];
  const derive = () => deriveActions(store, { workspaceId, windowDays, clock: () => now });

  beforeAll(async () => {
    ({ store } = await open());
    workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, planted.flatMap(runsOf));
    const hit = { bot_name: 'OAI-SearchBot', category: 'search', path: '/docs' } as const;
    const hits = [403, 403, 403, 403, 403, 403, 403, 200].map((status) =>
      aHit({ ...hit, status, hit_at: '2026-11-19T08:00:00.000Z' }),
    );
    const read = { ...hit, status: 200, hit_at: '2026-11-19T08:00:00.000Z' };
    const reads = Array.from({ length: 12 }, () => aHit({ ...read, path: '/tour/' }));
    // Not gaps: files that load with a page, cited pages, and pages that are only read for training.
    const others = [
      ...Array.from({ length: 12 }, () => aHit({ ...read, path: '/logo.png' })),
      ...Array.from({ length: 12 }, () => aHit({ ...read, path: '/reviews' })),
      ...Array.from({ length: 12 }, () => aHit({ ...read, path: '/corpus', category: 'crawler' })),
      aHit({ ...read, path: '/pricing', hit_at: '2026-10-02T08:00:00.000Z' }),
    ];
    await writeRows(store, workspaceId, { hits: [...hits, ...reads, ...others] });
    await derive();
    actions = await listActions(store.reader, workspaceId);
  });

  const find = (kind: string, text = ''): StoredAction => {
    const found = actions.find((one) => one.kind === kind && one.recommendation.includes(text));
    if (found === undefined) throw new Error(`No action is ${kind}.`);
    return found;
  };
  const places = (...wanted: StoredAction[]) => wanted.map((action) => actions.indexOf(action));

  test('deriving actions finds each planted truth, and nothing else', () => {
    expect(actions.map(({ kind }) => kind ?? '').toSorted(byText)).toEqual([
      ...Array.from({ length: 5 }, () => 'absent'),
      'blocked',
      'declining',
      'engine gap',
      'not cited',
      'not named',
      'not read',
      'outranked',
      'source page',
    ]);
    expect(actions.filter(({ recommendation }) => recommendation.includes('Fine?'))).toEqual([]);
  });

  test('the blocked page comes first, and a second rank behind everything that is lost', () => {
    expect(actions[0]?.kind).toBe('blocked');
    expect(actions[1]?.kind).toBe('source page');
    const [absent, declining, gap, unnamed, outranked] = places(
      find('absent'),
      find('declining'),
      find('engine gap'),
      find('not named'),
      find('outranked'),
    );
    expect(absent).toBeLessThan(gap ?? 0);
    for (const place of [declining, gap, unnamed]) expect(place).toBeLessThan(outranked ?? 0);
  });

  test('one action for one source page has all of its prompts, and no page of a tracked subject', () => {
    const { recommendation, prompt_id: promptId } = find('source page');
    expect(promptId).toBeNull();
    expect(recommendation).toContain('Get onto g2.com/best-crm: of 140 answers of 5 prompts');
    for (const word of ['One', 'Two', 'Three', 'Four', 'Five']) {
      expect(recommendation).toContain(`"${word} lost?" (28)`);
    }
    const ofPrompts = actions.filter(({ kind }) => kind !== 'blocked');
    for (const { kind, recommendation: sentence } of ofPrompts) {
      if (kind === 'not cited' || kind === 'not read') continue;
      expect(sentence).not.toMatch(/acme\.com|globex\.com/);
    }
    expect(find('absent', 'Two').recommendation).toContain(
      'pages that these answers cite: blog.example/Two (28), g2.com/best-crm (28).',
    );
  });

  test('a page that is cited and no longer read, and one that is read and never cited, are named', () => {
    expect(find('not read').recommendation).toBe(
      'Get acme.com/pricing read again: 28 answers from 2026-10-24 to 2026-11-20 cite it, and no verified AI crawler has requested it since 2026-10-02.',
    );
    expect(find('not cited').recommendation).toBe(
      'Make a page of acme.com worth citing: from 2026-10-24 to 2026-11-20 verified bots that read for answers read it, and no answer cites it: acme.com/tour (12).',
    );
    expect(find('not cited').impact_score).toBeLessThan(30);
  });

  test('every action leads down to its runs and sentences, or to its requests', async () => {
    const explained = async (action: StoredAction) => {
      const parts = parseParts(action.parts);
      if (parts === undefined) throw new Error('no parts');
      return explainAction(store.reader, workspaceId, parts);
    };
    for (const action of actions) {
      const { runs, requests } = await explained(action);
      expect(runs.length + requests.length, action.recommendation).toBeGreaterThan(0);
    }
    expect((await explained(find('source page'))).runs).toHaveLength(140);
    expect((await explained(find('blocked'))).requests).toHaveLength(8);
    expect((await explained(find('not read'))).runs).toHaveLength(28);
    expect((await explained(find('not cited'))).requests).toHaveLength(12);
    const gap = await explained(find('engine gap'));
    expect(new Set(gap.runs.map(({ engine }) => engine))).toEqual(new Set(['claude']));
    expect(gap.runs[0]?.cited[0]).toMatchObject({ subject: 'Globex', sentence: 'Globex.' });
    const decline = await explained(find('declining'));
    expect([decline.runs.length, decline.runs_before.length]).toEqual([28, 28]);
  });

  test('a page of a site that a person calls a shop is no gap, and no step leads onto it', async () => {
    await setSourceKind(store, workspaceId, { site: 'g2.com', kind: 'shop' });
    const { over } = await derive();
    expect(over).toMatchObject([{ id: find('source page').id }]);
    const left = (await listActions(store.reader, workspaceId)).filter(
      ({ kind }) => kind !== 'source page',
    );
    const steps = left.flatMap(({ parts }) => parseParts(parts)?.steps ?? []);
    expect(steps.join('\n')).toContain(
      'onto the pages that the answers without it cite: blog.example/',
    );
    expect(steps.join('\n')).not.toContain('g2.com');
  });
});
