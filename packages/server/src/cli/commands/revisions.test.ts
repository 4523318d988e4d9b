import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@overheard/contract';
import { expect, onTestFinished, test } from 'vitest';
import { call, nowMs, startApi } from '../../../test/servers/api.ts';
import type { Api } from '../../../test/servers/api.ts';
import { runCommand } from '../../../test/commands/command-line.ts';
import { idOf } from '../../../test/stores/rows.ts';
import { eachDatabase } from '../../../test/stores/stores.ts';
import { openStore } from '../../storage/open/open-store.ts';
import type { Store } from '../../storage/store.ts';

const run = { prompt_id: idOf(5), subject_type: 'brand', engine: 'claude', cited: true, rank: 1 };
const detection = { ...run, id: idOf(6), run_id: idOf(7), run_at: '2026-11-19T06:00:00Z' };
const answers = Array.from({ length: 12 }, (_, index) => ({
  prompt: 'Which CRM?',
  engine: 'chatgpt',
  run_at: `2026-11-${19 - (index % 6)}T0${index % 9}:00:00Z`,
  answer: `Take Globex or Umbra, number ${index}.`,
}));
const gptbot = 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)';
const log = ['20.171.207.5', '45.9.148.3']
  .map(
    (address) =>
      `${address} - - [20/Nov/2026:11:00:00 +0000] "GET /p HTTP/1.1" 200 5 "-" "${gptbot}"\n`,
  )
  .join('');
const ranges = JSON.stringify({
  creationTime: '2026-11-19T00:00:00Z',
  prefixes: [{ ipv4Prefix: '20.171.207.0/24' }],
});

const hit = {
  bot_name: 'GPTBot',
  bot_company: 'OpenAI',
  category: 'crawler',
  path: '/',
  method: 'GET',
};
const score = { date: '2026-11-18', engine: 'claude', citations: 1, total_runs: 2, sov: 1 };

interface Step {
  /** FOLDER stands for that of the files. */
  readonly command: string;
  readonly stdin?: unknown;
  /** Whether the step only prepares the next one: the API's response stays the same. */
  readonly isPreparation?: boolean;
  /** A table whose rows are lost before. */
  readonly lost?: 'scores' | 'actions';
}

/** Every command that changes what the API answers. */
const steps: readonly Step[] = [
  {
    command: 'import prompts -',
    stdin: [{ id: idOf(5), text: 'Which?', locale: 'en-US' }],
  },
  { command: 'import scores -', stdin: [score] },
  {
    command: 'import actions -',
    stdin: [{ id: idOf(8), recommendation: 'Write.', priority: 'low' }],
  },
  {
    command: 'import hits -',
    stdin: [{ ...hit, verification: 'verified', hit_at: '2026-11-19T06:00:00Z' }],
  },
  { command: 'import detections -', stdin: [detection] },
  // The row is as it was; its run is not.
  { command: 'import detections -', stdin: [{ ...detection, engine: 'gemini' }] },
  { command: `actions set ${idOf(8)} --status in_progress` },
  { command: 'answers import -', stdin: answers },
  { command: 'actions derive', lost: 'actions' },
  { command: 'subject add Umbra' },
  { command: 'answers redetect' },
  { command: 'scores rebuild', lost: 'scores' },
  { command: 'hits ingest FOLDER/access.log --no-dns' },
  { command: 'ranges import FOLDER/ranges.json --list openai/gptbot', isPreparation: true },
  { command: 'hits verify --no-dns' },
  { command: 'hits remove --without-host --yes' },
];

eachDatabase('a client that keeps an entity tag', (create) => {
  test('a client that keeps an entity tag sees the change of every command', async () => {
    const url = await create();
    const folder = await filesOf();
    const { key, api, store } = await serveAcme(url);
    let before = await answersOf(api, key);
    for (const { command, stdin, isPreparation = false, lost } of steps) {
      if (lost !== undefined) {
        await store.writer.deleteFrom(lost).execute();
        before = await answersOf(api, key);
      }
      const words = command.replace('FOLDER', folder).split(' ');
      const workspace = words[0] === 'ranges' ? [] : ['--workspace', 'acme'];
      const { code, stderr } = await runCommand([...words, ...workspace, '--database', url], {
        stdin: stdin === undefined ? '' : JSON.stringify(stdin),
        clock: () => nowMs,
      });
      expect(code, `${command}: ${stderr}`).toBe(0);
      const after = await answersOf(api, key);
      const isSeen = after.some(({ body }, place) => body !== before[place]?.body);
      expect(isSeen, command).toBe(!isPreparation);
      const areTagsNew = after.every(({ tag }, place) => tag !== before[place]?.tag);
      expect(isSeen && !areTagsNew, command).toBe(false);
      before = after;
    }
  });
});

/** A folder with a log and a list of addresses. */
async function filesOf(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-revisions-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'access.log'), log);
  await writeFile(join(folder, 'ranges.json'), ranges);
  return folder;
}

/** The API over a new workspace `acme` with one competitor, and a key of it. */
async function serveAcme(url: string): Promise<{ key: string; api: Api; store: Store }> {
  const brand = ['--name', 'Acme', '--brand', 'Acme', '--database', url];
  await runCommand(['workspace', 'create', 'acme', ...brand]);
  await runCommand(['subject', 'add', 'Globex', '--workspace', 'acme', '--database', url]);
  const made = await runCommand(['key', 'create', '--workspace', 'acme', '--database', url]);
  const store = await openStore(url);
  onTestFinished(() => store.close());
  const api = await startApi(store, { quota: 0, cacheBytes: 0 });
  return { key: made.stdout.trim(), api, store };
}

/** The bodies of all endpoints and their tags; none comes from memory. */
function answersOf(api: Api, key: string): Promise<Array<{ body: string; tag: unknown }>> {
  return Promise.all(
    endpoints.map(async ({ path }) => {
      const { body, headers } = await call(api, path, { key });
      return { body, tag: headers['etag'] };
    }),
  );
}
