/** A `large` workspace, with more than any page shows. */
import { Readable } from 'node:stream';
import { importAnswers } from '../../src/answers/import/import-answers.ts';
import type { Store } from '../../src/storage/store.ts';
import { createWorkspace } from '../../src/workspaces/workspaces.ts';
import { addSubject } from '../answers/answers.ts';
import type { PageState } from './page-state.ts';
import type { Person } from './people.ts';
import { aHit, anAction, writeRows } from '../stores/rows.ts';
import { setUpCollecting } from './sharing-states.ts';

/** The lists of a workspace, by name. */
export const listPaths = {
  overview: '',
  prompts: 'prompts',
  answers: 'answers',
  competitors: 'competitors',
  sources: 'sources?by=page',
  gaps: 'gaps',
  crawlers: 'crawlers?by=refused',
  'crawlers-bots': 'crawlers?by=bot',
} as const;

const engines =
  'chatgpt perplexity gemini claude copilot google_ai_overview google_ai_mode grok'.split(' ');
const longWord = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenhersteller';
const dayMs = 24 * 3_600_000;

/** Makes the workspace; gives the states of the widest long lists. */
export async function sizeStates(
  store: Store,
  { person, clock }: { person: Person; clock: () => number },
): Promise<PageState[]> {
  await fillLarge(store, clock);
  return (['overview', 'prompts', 'competitors', 'gaps', 'crawlers'] as const).map((name) => ({
    name: `${name}-large`,
    path: `/w/large/${listPaths[name]}`,
    person,
  }));
}

/** 500 prompts with an answer each of 8 engines, 10 competitors, 150 gaps, 13 bots, and names without a break. */
export async function fillLarge(store: Store, clock: () => number): Promise<string> {
  const id = await made(store, { slug: 'large', clock });
  const rivals = Array.from({ length: 10 }, (_, index) =>
    index === 0 ? longWord : `Globex International Holding and Partners ${index}`,
  );
  for (const [index, name] of rivals.entries()) {
    await addSubject(store, id, { name, number: 2 + index });
  }
  const rows = Array.from({ length: 500 }, (_, number) => {
    const named = [...(number % 3 === 0 ? ['Acme'] : []), rivals[number % 10] ?? ''];
    return {
      prompt: `Which CRM for ${number === 0 ? longWord.repeat(2) : `${number} people`} has all that an agency of that size needs in its first year, and what does it cost?`,
      engine: engines[number % 8],
      run_at: daysAgo(clock, 1 + (number % 26)),
      answer: `${named.join(', ')} suit.`,
      sources: [
        `https://www.${longWord.toLowerCase()}${number % 90}.example/${'a-long-path/'.repeat(12)}${number}`,
      ],
    };
  });
  await importAll(store, { workspaceId: id, clock }, rows);
  await writeRows(store, id, {
    actions: Array.from({ length: 150 }, (_, index) =>
      anAction({
        recommendation: `Get cited for "Which CRM has ${index === 0 ? longWord.repeat(2) : 'everything that one can think of'}, number ${index}?": ChatGPT 0 of ${index}; cited instead: ${rivals[index % 10]} (${index}).`,
        status: index % 3 === 0 ? 'in_progress' : 'open',
        priority: index % 2 === 0 ? 'high' : 'medium',
        impact_score: index % 100,
        created_at: daysAgo(clock, 2),
      }),
    ),
    hits: Array.from({ length: 390 }, (_, index) =>
      aHit({
        bot_name: index % 13 === 0 ? 'GPTBot' : `Bot${index % 13}-with-a-rather-long-name`,
        host: 'www.acme.example',
        path: `/${'a-long-path/'.repeat(10)}${index % 130}`,
        status: index % 2 === 0 ? 403 : 200,
        hit_at: daysAgo(clock, 1 + (index % 20)),
      }),
    ),
  });
  await setUpCollecting(store, id, clock);
  return id;
}

async function made(
  store: Store,
  { slug, clock }: { slug: string; clock: () => number },
): Promise<string> {
  const brand = { name: 'Acme', domains: ['acme.example'] };
  return (await createWorkspace(store, { slug, name: slug, brand, clock })).id;
}

function daysAgo(clock: () => number, days: number): string {
  return new Date(clock() - days * dayMs).toISOString();
}

async function importAll(
  store: Store,
  { workspaceId, clock }: { workspaceId: string; clock: () => number },
  rows: readonly object[],
): Promise<void> {
  const text = rows.map((row) => JSON.stringify(row)).join('\n');
  await importAnswers(store, {
    workspaceId,
    format: 'ndjson',
    source: { name: 'rows', stream: Readable.from([Buffer.from(text)]), bytesTotal: undefined },
    clock,
    signal: new AbortController().signal,
  });
}
