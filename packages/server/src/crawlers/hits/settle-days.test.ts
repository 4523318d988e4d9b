import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { line, makePlace } from '../../../test/logs/log-place.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { createFeed } from '../ingest/feed.ts';
import type { Store } from '../../storage/store.ts';
import { shownEvidence } from './hit.ts';
import { settleDays } from './settle-days.ts';

eachStore('days whose accusations are settled', (open) => {
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

  test('a client who makes up many hosts does not make an ingest read the day for each of them, or hold them all', async () => {
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
    expect(updates).toBeLessThan(10);
    expect(rowsMax).toBeGreaterThan(0);
    expect(rowsMax).toBeLessThanOrEqual(512);
  });
});

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
