import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../test/commands/command-line.ts';
import { commandPlace, freshSqlite, logLine } from '../../../test/logs/crawler-commands.ts';
import { eachDatabase } from '../../../test/stores/stores.ts';
import { fetchRobots } from '../../crawlers/robots/fetch-robots.ts';
import { openStore } from '../../storage/open/open-store.ts';
import { areListsDue, dailyCommands, lookHourly } from './daily-lists.ts';

const now = Date.parse('2026-11-21T00:00:00.000Z');
const day = 86_400_000;

eachDatabase({ title: 'operators’ lists', onBoth: true }, (create) => {
  test(
    'operators’ lists are due once a log has been read, and every day after they were asked for',
    { tags: ['once'] },
    async () => {
      const database = await create();
      const { run, write } = await commandPlace(database);
      const store = await openStore(database);
      expect(await areListsDue(store, now)).toBe(false);
      const log = await write('a.log', logLine('45.9.148.3'));
      await run('hits', 'ingest', log, '--workspace', 'acme', '--no-dns');
      expect(await areListsDue(store, now)).toBe(true);
      const checked = { url: 'https://operator.example/', checked_at: new Date(now).toISOString() };
      await store.writer
        .insertInto('operator_checks')
        .values({ file_id: 'openai/gptbot', ...checked, problem: null })
        .execute();
      expect(await areListsDue(store, now + day - 1)).toBe(false);
      expect(await areListsDue(store, now + day)).toBe(true);
      await store.close();
      const doctor = await runCommand(['doctor', '--database', database]);
      expect(doctor.stdout).toContain(
        'warning  lists       No operator address lists are installed',
      );
    },
  );

  test('operators’ lists are fetched daily, and so is the robots.txt of sites of which it was fetched before', async () => {
    const database = await create();
    const { run, write } = await commandPlace(database);
    const store = await openStore(database);
    onTestFinished(() => store.close());
    const robots = await write('robots.txt', 'User-agent: *');
    const imported = ['--host', 'old.acme.com', '--at', '2026-11-01', '--workspace', 'acme'];
    await run('robots', 'import', robots, ...imported);
    expect(await dailyCommands(store)).toEqual([['ranges', 'update']]);
    const { id } = await store.reader
      .selectFrom('workspaces')
      .select('id')
      .where('slug', '=', 'acme')
      .executeTakeFirstOrThrow();
    for (const host of ['www.acme.com', 'shop.acme.com']) {
      const fetch = async () => new Response('User-agent: *');
      const { signal } = new AbortController();
      await fetchRobots(store, id, { host, fetch, signal, clock: () => now });
    }
    expect(await dailyCommands(store)).toEqual([
      ['ranges', 'update'],
      ['robots', 'fetch', '--workspace', 'acme', '--host', 'shop.acme.com', 'www.acme.com'],
    ]);
  });
});

test('a failed update of the lists is reported, and tried again', async () => {
  const database = await freshSqlite();
  const { run, write } = await commandPlace(database);
  const log = await write('a.log', logLine('45.9.148.3'));
  await run('hits', 'ingest', log, '--workspace', 'acme', '--no-dns');
  const store = await openStore(database);
  const stop = new AbortController();
  const failures: unknown[] = [];
  let updates = 0;
  const update = async () => {
    if (!(await areListsDue(store, now))) return;
    if (++updates === 3) stop.abort();
    throw new Error(`no ${updates}`);
  };
  const onFailure = (error: unknown) => void failures.push(error);
  const waitMs = { first: 1, every: 1 };
  await lookHourly(update, { signal: stop.signal, onFailure, waitMs });
  expect(failures.map(String)).toEqual(['Error: no 1', 'Error: no 2', 'Error: no 3']);
  await store.close();
});
