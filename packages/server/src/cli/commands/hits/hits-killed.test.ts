import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { spawnCommand } from '../../../../test/commands/spawn-command.ts';
import { makePlace } from '../../../../test/logs/log-place.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { openStore } from '../../../storage/open/open-store.ts';
import type { Store } from '../../../storage/store.ts';

const agents = [
  'GPTBot/1.3',
  'Bytespider',
  'ClaudeBot/1.0',
  'Google-Extended',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
];
const tables = ['hits', 'referrals', 'hit_pages', 'hit_days', 'unsettled_days'] as const;
const killsMax = 4;

/** Lines of some five transactions: bots on several days, and people whom an answer sent. */
const log = Array.from({ length: 12_000 }, (_, index) => {
  const at = new Date(Date.UTC(2026, 10, 18) + index * 15_000).toISOString();
  const agent = agents[index % agents.length] ?? '';
  const referer = index % 50 === 4 ? 'https://chatgpt.com/' : '-';
  return `45.9.${index % 7}.${index % 200} - - [${at.slice(8, 10)}/Nov/2026:${at.slice(11, 19)} +0000] "GET /${index % 900} HTTP/1.1" 200 5 "${referer}" "${agent}"\n`;
}).join('');

/** A workspace, the command that reads the log into it, and its rows. */
async function setUp(store: Store, database: string) {
  const { workspaceId, write } = await makePlace({ store });
  const { slug } = await store.writer
    .selectFrom('workspaces')
    .select('slug')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const path = await write('access.log', log);
  const words = ['hits', 'ingest', path, '--workspace', slug, '--no-dns', '--database', database];
  const rows = async () =>
    Promise.all(
      tables.map(async (table) => {
        const query = store.writer.selectFrom(table).selectAll();
        const all = await query.where('workspace_id', '=', workspaceId).execute();
        return all.map((row) => JSON.stringify({ ...row, workspace_id: '' })).toSorted();
      }),
    );
  const count = async (): Promise<number> => {
    const query = store.writer.selectFrom('hits').where('workspace_id', '=', workspaceId);
    const { hits } = await query
      .select(({ fn }) => fn.countAll<number>().as('hits'))
      .executeTakeFirstOrThrow();
    return hits;
  };
  return { words, rows, count };
}

eachDatabase({ title: 'an ingest in a process of its own', onBoth: true }, (create) => {
  test(
    'an ingest that is killed with -9 four times ends with the rows of an undisturbed one',
    { tags: ['once'] },
    async () => {
      const database = await create();
      const store = await openStore(database, { mayCreate: true });
      onTestFinished(() => store.close());
      const whole = await setUp(store, database);
      expect(await runCommand(whole.words)).toMatchObject({ code: 0 });
      const total = await whole.count();
      const killed = await setUp(store, database);
      const stops: number[] = [];
      for (let kill = 0; kill < killsMax; kill++) {
        const { child, ended } = spawnCommand(killed.words);
        const before = await killed.count();
        const isOver = ended.then(() => true);
        while ((await killed.count()) === before) {
          if (await Promise.race([isOver, sleep(5, false)])) break;
        }
        // A batch takes about a tenth of a second: each kill is at another place in it.
        await sleep(kill * 30);
        child.kill('SIGKILL');
        await ended;
        stops.push(await killed.count());
      }
      expect(stops.filter((hits) => hits > 0 && hits < total).length).toBeGreaterThan(0);
      expect(await runCommand(killed.words)).toMatchObject({ code: 0 });
      const [rows, expected] = [await killed.rows(), await whole.rows()];
      for (const [place, table] of tables.entries()) {
        expect(rows[place]?.length, table).toBe(expected[place]?.length);
        expect(rows[place], table).toEqual(expected[place]);
      }
    },
  );
});
