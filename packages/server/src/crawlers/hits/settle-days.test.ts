import fc from 'fast-check';
import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { expectExactCounts } from '../../../test/logs/exact-counts.ts';
import { keepList, line, makePlace, now } from '../../../test/logs/log-place.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { createFeed } from '../ingest/feed.ts';
import type { Store } from '../../storage/store.ts';
import { shownEvidence } from './hit.ts';
import { removeHits } from './remove-hits.ts';
import { settleDays } from './settle-days.ts';
import { verifyHits } from './verify-hits.ts';

eachStore('days whose accusations are settled', (open, dialect) => {
  test('a killed ingest leaves its accusations in doubt, and the next ingest settles them', async () => {
    const place = await makePlace(await open());
    const log = ['GPTBot/1.3', 'Bytespider', 'GrokBot/1.0'].map((agent, index) =>
      line('45.9.148.3', index, agent),
    );
    const context = await place.prepare({});
    const { push, batch } = createFeed(context);
    await push(Buffer.from(log.join('')));
    await batch.flush();
    expect(await reasonsOf(place)).toEqual([
      'unverified proof_pending',
      'unverified no_published_means',
      'unverified no_published_means',
    ]);
    const other = line('45.9.149.4', 9, 'Chrome');
    await place.ingest(await place.write('other.log', other));
    expect(await reasonsOf(place)).toEqual([
      'spoofed not_in_list',
      'unverified no_published_means',
      'unverified no_published_means',
    ]);
  });

  test('hits with dropped addresses still prove their site', async () => {
    const { store } = await open();
    const place = await makePlace({ store });
    const genuine = line('20.171.207.5', 0, 'GPTBot/1.3');
    await place.ingest(await place.write('a.log', genuine));
    const before = await votesOf(place);
    expect(before).toContainEqual(expect.objectContaining({ verdict: 'verified', hits: 1 }));
    await store.writer.updateTable('hits').set({ address: null }).execute();
    await place.ingest(await place.write('b.log', line('45.9.148.3', 1, 'Bytespider')));
    expect(await votesOf(place)).toEqual(before);
  });

  test(
    'a client who makes up many hosts does not make an ingest read the day for each of them, or hold them all',
    { tags: ['once'] },
    async () => {
      const place = await makePlace(await open());
      const log = Array.from(
        { length: 1200 },
        (_, index) => `host-${index}.example.com:443 ${line('45.9.148.3', index, 'GPTBot/1.3')}`,
      );
      const context = await place.prepare({});
      const { push, batch } = createFeed(context);
      await push(Buffer.from(log.join('')));
      await batch.flush();
      let updates = 0;
      let rowsMax = 0;
      const counting: KyselyPlugin = {
        transformQuery({ node }) {
          if (node.kind === 'UpdateQueryNode') updates++;
          return node;
        },
        async transformResult({ result }) {
          rowsMax = Math.max(rowsMax, result.rows.length);
          return result;
        },
      };
      const { store } = place;
      const counted: Store = {
        ...store,
        write: (work) => store.write((transaction) => work(transaction.withPlugin(counting))),
      };
      await settleDays(counted, place.workspaceId);
      await push(Buffer.from(line('45.9.148.3', 0, 'GPTBot/1.3')));
      await batch.flush();
      await settleDays(counted, place.workspaceId);
      expect(new Set(await reasonsOf(place))).toEqual(new Set(['spoofed not_in_list']));
      expect(updates).toBeGreaterThan(0);
      expect(updates).toBeLessThan(20);
      expect(rowsMax).toBeGreaterThan(0);
      expect(rowsMax).toBeLessThanOrEqual(512);
    },
  );

  test('a verdict change of a whole day that is killed between its slices is completed by the next ingest', async () => {
    const place = await makePlace(await open());
    await place.ingest(await place.write('a.log', forgedLines(600).join('')));
    expect(new Set(await reasonsOf(place))).toEqual(new Set(['spoofed not_in_list']));
    const { push, batch } = createFeed(await place.prepare({}));
    await push(Buffer.from(line('45.9.148.3', 0, chrome)));
    await batch.flush();
    let writes = 0;
    const killed: Store = {
      ...place.store,
      write: async (work) => {
        if (++writes > 1) throw new Error('killed');
        return place.store.write(work);
      },
    };
    await expect(settleDays(killed, place.workspaceId)).rejects.toThrow('killed');
    expect(new Set(await reasonsOf(place))).toEqual(
      new Set(['spoofed not_in_list', 'unverified visitor_address']),
    );
    await expectExactCounts(place);
    await place.ingest(await place.write('b.log', line('192.0.2.9', 1, chrome)));
    expect(new Set(await reasonsOf(place))).toEqual(new Set(['unverified visitor_address']));
    await expectExactCounts(place);
  });

  test(
    'a day that is marked again while it is settled is settled again',
    { tags: ['once'] },
    async () => {
      const place = await makePlace(await open());
      const { store, workspaceId } = place;
      await place.ingest(await place.write('a.log', forgedLines(2).join('')));
      const visit = async (address: string) => {
        const { push, batch } = createFeed(await place.prepare({}));
        await push(Buffer.from(line(address, 0, chrome)));
        await batch.flush();
      };
      await visit('192.0.2.9');
      let isFirst = true;
      const shared: Store = {
        ...store,
        write: async (work) => {
          if (isFirst) {
            isFirst = false;
            await visit('45.9.148.3');
          }
          return store.write(work);
        },
      };
      await settleDays(shared, workspaceId);
      expect(new Set(await reasonsOf(place))).toEqual(new Set(['spoofed not_in_list']));
      await settleDays(store, workspaceId);
      expect(new Set(await reasonsOf(place))).toEqual(new Set(['unverified visitor_address']));
    },
  );

  test('counts and votes are those of the stored hits after any sequence of batches, visitors, new lists and removals', async () => {
    const { store } = await open();
    const request = fc.record({
      address: fc.constantFrom(
        '45.9.148.3',
        '45.9.149.3',
        '20.171.207.5',
        '20.171.208.5',
        '10.0.0.3',
      ),
      host: fc.constantFrom('', 'acme.com:443 ', 'www.acme.com:443 '),
      path: fc.constantFrom('/', '/a', '/b'),
      status: fc.constantFrom(200, 304, 301, 402, 403, 404, 429, 503, 101),
      date: fc.constantFrom('19', '20', '21'),
      hour: fc.constantFrom('00', '11', '23'),
      agent: fc.constantFrom('GPTBot/1.3', 'Bytespider', 'Google-Extended', chrome),
    });
    const step = fc.record({
      requests: fc.array(request, { maxLength: 12 }),
      action: fc.constantFrom('nothing', 'settle', 'list', 'other list', 'remove'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        await store.writer.deleteFrom('operator_files').execute();
        const place = await makePlace({ store });
        const { workspaceId } = place;
        for (const { requests, action } of steps) {
          const { push, batch } = createFeed(await place.prepare({}));
          await push(Buffer.from(requests.map(requestLine).join('')));
          await batch.flush();
          await settleWritten(place);
          await expectExactCounts(place);
          if (action === 'settle') await settleDays(store, workspaceId);
          if (action === 'remove') await removeHits(store, workspaceId, { isWithoutHost: true });
          if (action.endsWith('list')) {
            const third = action === 'list' ? '207' : '208';
            await store.writer.deleteFrom('operator_files').execute();
            await keepList(store, 'openai/gptbot', `20.171.${third}.0/24`);
            const { signal } = new AbortController();
            const options = { hostNames: undefined, clock: () => now, signal };
            await verifyHits(store, workspaceId, options);
          }
          await expectExactCounts(place);
        }
      }),
      { numRuns: cases(dialect === 'sqlite' ? 40 : 9) },
    );
  });
});

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';

/** Lines of a forger who asks for many paths. */
function forgedLines(count: number, path = '/'): string[] {
  return Array.from({ length: count }, (_, index) =>
    line('45.9.148.3', index, 'GPTBot/1.3').replace('/p HTTP', `${path}${index} HTTP`),
  );
}

interface LoggedRequest {
  readonly address: string;
  readonly host: string;
  readonly path: string;
  readonly status: number;
  readonly date: string;
  readonly hour: string;
  readonly agent: string;
}

function requestLine({ address, host, path, status, date, hour, agent }: LoggedRequest): string {
  return `${host}${address} - - [${date}/Nov/2026:${hour}:00:00 +0000] "GET ${path} HTTP/1.1" ${status} 5 "-" "${agent}"\n`;
}

type Place = Awaited<ReturnType<typeof makePlace>>;

/** A hit that is no longer a read has its day counted again, which an ingest does at its end. */
async function settleWritten({ store, workspaceId }: Place): Promise<void> {
  const marked = store.reader.selectFrom('unsettled_days').where('state', '=', 'written');
  const days = await marked.select('day').where('workspace_id', '=', workspaceId).execute();
  if (days.length > 0) await settleDays(store, workspaceId);
}

async function reasonsOf({ rows }: Awaited<ReturnType<typeof makePlace>>): Promise<string[]> {
  return (await rows()).map((row) => [row.verification, shownEvidence(row)?.reason].join(' '));
}

function votesOf({ store, workspaceId }: Awaited<ReturnType<typeof makePlace>>) {
  return store.writer
    .selectFrom('hit_votes')
    .select(['day', 'verdict', 'site', 'operator', 'hits'])
    .where('workspace_id', '=', workspaceId)
    .where('network', '<>', 'n')
    .execute();
}
