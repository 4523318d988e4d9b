/** Every kind of write of a workspace, through the front door: commands, as people and cron jobs give them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { replaceAnswers } from '../../src/answers/import/replace-answers.ts';
import type { Store } from '../../src/storage/store.ts';
import { startCollecting } from '../engines/collecting.ts';
import { proveSite } from '../logs/prove-site.ts';
import { idOf } from '../stores/rows.ts';

/** A workspace `acme` that is written to. */
export interface WrittenPlace {
  readonly store: Store;
  readonly workspaceId: string;
  /** Runs a command line and fails the test if it fails. */
  readonly run: (line: string, rows?: readonly object[] | string) => Promise<string>;
  /** The present moment, milliseconds since 1970. */
  readonly now: { ms: number };
  /** Counts the writes, so that no two import the same rows. */
  count: number;
}

/** Makes the workspace in a fresh database, with an engine on loopback. */
export async function startWriting(url: string, store: Store): Promise<WrittenPlace> {
  const now = { ms: Date.parse('2026-11-20T12:00:00Z') };
  const json = (content: string) => ({
    json: {
      id: 'gen-1',
      model: 'small-1',
      choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 5, cost: 0.002 },
    },
  });
  const engine = await startCollecting(url, { prompts: 2 }, json('Acme.'), json('Globex, Acme.'));
  const { id } = await store.reader.selectFrom('workspaces').select('id').executeTakeFirstOrThrow();
  return {
    store,
    workspaceId: id,
    now,
    count: 0,
    run: async (words, rows = '') => {
      const stdin =
        typeof rows === 'string' ? rows : rows.map((row) => JSON.stringify(row)).join('\n');
      const outcome = await engine.run(
        words.startsWith('ranges') ? words : `${words} --workspace acme`,
        {
          clock: () => now.ms,
          ...(stdin !== '' && { stdin }),
        },
      );
      if (outcome.code !== 0) throw new Error(`${words}: ${outcome.stderr}`);
      return outcome.stdout;
    },
  };
}

const importAnswers = 'answers import - --format ndjson --accept --new-engine';
const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36';
const furniture = 'This page was written by Acme and may contain errors; check it twice.';

/** The kinds of writes. In this order each changes something; in any other a few find nothing to do. */
export const everyWrite: Readonly<Record<string, (place: WrittenPlace) => Promise<unknown>>> = {
  'import answers': (place) => place.run(importAnswers, answers(place)),
  'import refused answers': (place) =>
    place.run(importAnswers, [
      { ...anAnswer(place, 0), outcome: 'refused', answer: 'No.' },
      { ...anAnswer(place, 1), outcome: 'failed', answer: '' },
    ]),
  'import detections': (place) =>
    place.run('import detections - --new-engine', [aDetection(place, 100), aDetection(place, 101)]),
  'import changed detections': (place) =>
    place.run('import detections -', [
      { ...aDetection(place, 100), cited: false, position: null, rank: null },
      { ...aDetection(place, 101), run_at: `2026-11-1${5 + (place.count % 4)}T03:00:00Z` },
    ]),
  'import the answer of a run that had detections alone': async (place) => {
    place.count += 1;
    const id = idOf(1000 + place.count);
    const run = { engine: 'gemini', run_at: moment(place) };
    await place.run('import detections - --new-engine', [
      { run_id: id, subject_type: 'brand', cited: true, ...run },
    ]);
    await place.run(importAnswers, [{ id, prompt: 'Which?', answer: 'Globex.', ...run }]);
  },
  'import scores': (place) =>
    place.run('import scores - --new-engine', [
      aScore('2026-11-19', place.count),
      aScore('2026-11-22', place.count),
      aScore('2025-11-19', place.count),
    ]),
  'import changed scores': (place) => {
    place.count += 1;
    return place.run('import scores - --new-engine', [
      aScore('2026-11-19', place.count),
      aScore('2026-11-21', place.count),
    ]);
  },
  'let a day pass': async (place) => {
    place.now.ms += 86_400_000;
  },
  'import hits': (place) =>
    place.run('import hits -', [aHit(1, '2026-11-18'), aHit(2, '2026-11-19')]),
  'import changed hits': (place) =>
    place.run('import hits -', [
      { ...aHit(1, '2026-11-17'), path: `/${(place.count += 1)}` },
      { ...aHit(2, '2026-11-19'), status: 404 },
    ]),
  'remove imported hits': (place) => place.run('hits remove --imported --yes'),
  'import other hits': (place) => place.run('import hits -', [aHit(3, '2026-11-19')]),
  'import prompts of another market': async (place) => {
    const prompts = await place.store.reader
      .selectFrom('prompts')
      .select(['id', 'text', 'language', 'locale'])
      .orderBy('text')
      .execute();
    const moved = prompts.map((prompt) => ({
      ...prompt,
      locale: prompt.locale === 'en-GB' ? 'en-US' : 'en-GB',
    }));
    await place.run('import prompts -', moved.slice(-2));
  },
  'import actions': (place) =>
    place.run('import actions -', [{ recommendation: 'Do.', priority: 'low' }]),
  'add a competitor': (place) => place.run('subject add Hooli --domain hooli.com'),
  'judge the answers again': (place) => place.run('answers redetect'),
  'rename the brand': (place) =>
    place.run(`subject set Acme --name Acme${(place.count += 1)} --add-alias Acme`),
  'give a competitor a path': (place) => place.run('subject add Initech --path g2.com/products'),
  'add an alias and judge again': async (place) => {
    await place.run(`subject set Acme --add-alias Which${(place.count += 1)} --add-alias Globex`);
    await place.run('answers redetect');
  },
  'take the alias away and judge again': async (place) => {
    await place.run('subject set Acme --remove-alias Globex').catch(() => {});
    await place.run('answers redetect --since 2026-11-19');
  },
  'strip a text of a page': async (place) => {
    await place.run(
      importAnswers,
      [0, 1, 2].map((day) => ({
        ...anAnswer(place, day),
        engine: 'copilot',
        answer: `Take one of ${day + 2}.\n\n${furniture}`,
      })),
    );
    await place.run('answers redetect --strip-tail copilot');
  },
  'count the stripped text again': (place) => place.run('answers redetect --strip-none copilot'),
  'archive a competitor': (place) => place.run('subject remove Initech').catch(() => ''),
  'rebuild the scores': (place) => place.run('scores rebuild'),
  'ask an engine': async (place) => {
    await place.run('collect run');
    place.now.ms += 8 * 3_600_000;
    await place.run('collect run');
  },
  'read answers of engines again': async (place) => {
    place.count += 1;
    const row = {
      id: idOf(2000),
      prompt: 'Which?',
      engine: 'grok_api',
      run_at: '2026-11-19T05:00Z',
    };
    await place.run(importAnswers, [{ ...row, answer: 'Acme.' }]);
    const text = JSON.stringify({ ...row, answer: `Globex ${place.count}.` });
    await replaceAnswers(place.store, {
      workspaceId: place.workspaceId,
      source: { name: 'rows', stream: Readable.from([Buffer.from(text)]), bytesTotal: undefined },
      examplesMax: 1,
      signal: undefined,
      clock: () => place.now.ms,
    });
  },
  'remove answers of an engine': (place) =>
    place.run('answers remove --engine chatgpt --from 2026-11-19 --yes'),
  'read a log': (place) => ingest(place, [bot('20.171.206.7', 18), bot('45.9.148.3', 19)]),
  'get the list of an operator and verify': async (place) => {
    await importList(place, '20.171.206.0/24', '2026-11-15', '2026-11-20');
    await place.run('hits verify --no-dns');
  },
  'read a log that surrounds a forgery with proof': async (place) => {
    await proveSite(place.store, place.workspaceId, '2026-11-19').catch(() => {});
    await ingest(place, [bot('45.9.149.4', 19)]);
  },
  'read a log of a visitor behind the forgery': (place) =>
    ingest(place, [line('45.9.149.4', 19, chrome)]),
  'add an own site': (place) => place.run('sites add acme.org'),
  'remove the list and verify': async (place) => {
    await place.run('ranges remove openai/gptbot --all').catch(() => '');
    await place.run('hits verify --no-dns');
  },
  'drop old addresses': (place) => place.run('prune'),
  'remove hits of an address': (place) => place.run('hits remove --address 45.9.148.3 --yes'),
  'revert the newest import': async (place) => {
    const { imports } = JSON.parse(await place.run('imports list --json'));
    const id = imports.find((each: { reverted_at: unknown }) => each.reverted_at === null)?.id;
    if (id !== undefined) await place.run(`imports revert ${id} --yes`);
  },
  'revert an import of detections': (place) => revert(place, 'detections'),
  'revert an import of scores': (place) => revert(place, 'scores'),
  'revert an import of hits': (place) => revert(place, 'hits'),
  'revert an import of answers': (place) => revert(place, 'answers'),
  'remove all hits of logs': (place) => place.run('hits remove --read --yes'),
  'try without writing': async (place) => {
    await place.run(`${importAnswers} --dry-run`, answers(place));
    await place.run('answers redetect --dry-run');
    await place.run('answers remove --engine gemini --dry-run');
  },
};

/** Reverts the imports of a kind, the newest first. */
async function revert(place: WrittenPlace, kind: string): Promise<void> {
  const { imports } = JSON.parse(await place.run('imports list --json'));
  for (const each of imports) {
    if (each.kind === kind && each.reverted_at === null) {
      await place.run(`imports revert ${each.id} --yes`);
    }
  }
}

/** A moment of one of three days that no other write uses. */
function moment(place: WrittenPlace, day: number = place.count % 3): string {
  place.count += 1;
  const ms = Date.UTC(2026, 10, 18 + day, 1) + place.count * 1000;
  return new Date(ms).toISOString();
}

function anAnswer(place: WrittenPlace, day: number) {
  return { prompt: 'Which?', engine: 'chatgpt', run_at: moment(place, day), answer: 'Acme.' };
}

function answers(place: WrittenPlace) {
  return [0, 1, 2].flatMap((day) => [
    { ...anAnswer(place, day), answer: 'Acme, Globex and Hooli.' },
    { ...anAnswer(place, day), prompt: 'Is Acme good?', answer: 'Globex is better.' },
    {
      ...anAnswer(place, day),
      engine: 'gemini',
      answer: 'Take [this](https://hooli.com/x).',
      sources: ['https://acme.org/a', 'https://g2.com/products/3'],
    },
  ]);
}

function aDetection(place: WrittenPlace, number: number) {
  return {
    id: idOf(number),
    run_id: idOf(number + 500),
    subject_type: 'brand',
    cited: true,
    position: place.count,
    rank: 1,
    engine: 'claude',
    run_at: '2026-11-18T03:00:00Z',
  };
}

function aScore(date: string, citations: number) {
  return { date, engine: 'meta', citations, total_runs: citations + 1, sov: 0.5 };
}

function aHit(number: number, day: string) {
  return {
    id: idOf(3000 + number),
    bot_name: 'GPTBot',
    bot_company: 'OpenAI',
    category: 'crawler',
    path: '/',
    method: 'GET',
    status: 200,
    verification: 'unverified',
    hit_at: `${day}T04:00:00Z`,
  };
}

const bot = (address: string, day: number) => line(address, day, 'GPTBot/1.3');

function line(address: string, day: number, agent: string): string {
  return `${address} - - [${day}/Nov/2026:12:00:00 +0000] "GET /p?n= HTTP/1.1" 200 5 "-" "${agent}"\n`;
}

function ingest(place: WrittenPlace, lines: readonly string[]): Promise<string> {
  place.count += 1;
  const log = lines.join('').replaceAll('/p?n=', `/p${place.count}`);
  return place.run('hits ingest - --no-dns --update-lists never', log);
}

async function importList(
  place: WrittenPlace,
  prefix: string,
  ...days: readonly string[]
): Promise<void> {
  const path = join(mkdtempSync(join(tmpdir(), 'overheard-list-')), 'list.json');
  writeFileSync(path, JSON.stringify({ prefixes: [{ ipv4Prefix: prefix }] }));
  for (const day of days) {
    await place.run(`ranges import ${path} --list openai/gptbot --fetched-at ${day}T06:00:00Z`);
  }
  rmSync(dirname(path), { recursive: true });
}
