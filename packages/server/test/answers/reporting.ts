/** A workspace for tests of reports: `place` has its command line and its API, `filled` also data. */
import { expect } from 'vitest';
import { createKey } from '../../src/access/keys.ts';
import { call, startApi } from '../servers/api.ts';
import { aWorkspace, importRows, now } from './answers.ts';
import { runCommand } from '../commands/command-line.ts';
import type { Outcome } from '../commands/command-line.ts';
import { randomAnswers } from './random-answers.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import type { Open, SeedRows } from '../stores/stores.ts';

const clock = (): number => now;
/** A workspace with its command line and its API. */
export async function place(open: Open) {
  const { store, url } = await open({ clock });
  await aWorkspace(store);
  return placeIn(store, url);
}

/** The only workspace of a store. */
async function placeIn(store: Store, url: string) {
  const { id: workspaceId, slug } = await store.reader
    .selectFrom('workspaces')
    .select(['id', 'slug'])
    .executeTakeFirstOrThrow();
  const run = async (
    line: string,
    { columns = 0, stdin = '', calledAs = 'overheard' } = {},
  ): Promise<Outcome> => {
    const args = [...words(line), '--workspace', slug, '--database', url];
    const shown = columns > 0 && { columns };
    const { code, stdout, stderr } = await runCommand(args, { clock, stdin, calledAs, ...shown });
    return { code, stdout: withoutDatabase(stdout), stderr: withoutDatabase(stderr) };
  };
  const text = async (path: string): Promise<string> => {
    const { key } = await createKey(store, { workspaceId, name: 'test', clock });
    const api = await startApi(store, { clock, quota: 0 });
    const response = await call(api, `/api/v1/${path}`, { key });
    expect(response.statusCode, response.body).toBe(200);
    return response.body;
  };
  const read = async (path: string): Promise<unknown> => JSON.parse(await text(path));
  return { store, url, workspaceId, slug, run, read, text };
}

/** The database is named in hints. */
function withoutDatabase(text: string): string {
  return text.replaceAll(/ --database \S+/g, '');
}

/** The words of a line; blanks inside of quotes belong to their word. */
function words(line: string): string[] {
  return (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
}

const logs = {
  'www.acme.com': ['GPTBot/1.3 11 200 /', 'GPTBot/1.3 12 403 /a', 'OAI-SearchBot/1.3 12 200 /'],
  'acme.com': ['ClaudeBot/1.0 13 301 /'],
};

function toLog(hits: readonly string[]): string {
  return hits
    .map((hit) => hit.split(' '))
    .map(
      ([agent, day, status, path]) =>
        `192.0.2.7 - - [${day}/Nov/2026:12:00:00 +0000] "GET ${path} HTTP/1.1" ${status} 1 "-" "${agent}"\n`,
    )
    .join('');
}

/** The same with random answers of 60 days and some hits. */
export async function filled(open: Open) {
  const { store, url } = await open({ clock, seed: sixtyDays });
  return placeIn(store, url);
}

const sixtyDays: SeedRows = {
  name: 'answers and hits of sixty days',
  async fill(url) {
    const store = await openStore(url, { mayCreate: false, clock });
    const workspaceId = await aWorkspace(store);
    const { run } = await placeIn(store, url);
    const answers = randomAnswers(600, { beforeMs: now });
    await importRows(
      store,
      workspaceId,
      answers.map(({ row }) => row),
    );
    for (const [host, lines] of Object.entries(logs)) {
      const line = `hits ingest - --host ${host} --no-dns --update-lists never`;
      expect(await run(line, { stdin: toLog(lines) })).toMatchObject({ code: 0 });
    }
    await store.close();
  },
};
