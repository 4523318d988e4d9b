import { expect, test } from 'vitest';
import { line, makePlace, now } from '../../../test/logs/log-place.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import browsers from '../bots/browsers.json' with { type: 'json' };
import { keepAddresses } from '../settings.ts';
import { shownEvidence } from './hit.ts';
import { pruneAddresses } from './prune-addresses.ts';

const dayMs = 86_400_000;

eachStore('pruning', (open) => {
  test('the address of a request from the future is dropped, because it would never grow old', async () => {
    const { store, workspaceId, write, ingest, rows } = await makePlace(await open());
    const future = line('45.9.148.3', 1, 'Bytespider').replace('/2026:', '/2027:');
    await ingest(await write('a.log', future + line('45.9.148.3', 2, 'Bytespider')));
    expect(await pruneAddresses(store, workspaceId, { nowMs: now })).toBe(1);
    expect((await rows()).map(({ address }) => address)).toEqual(['45.9.148.3', null]);
    await keepAddresses(store, workspaceId, { days: 0 });
    expect(await pruneAddresses(store, workspaceId, { nowMs: now })).toBe(1);
    expect(await pruneAddresses(store, workspaceId, { nowMs: now })).toBe(0);
  });

  test('the headers of a signed request are dropped together with its address', async () => {
    const { store, workspaceId, write, ingest, rows } = await makePlace(await open());
    await ingest(await write('a.log', `${signed('?covered=1', '"@query" ')}`));
    expect((await rows())[0]?.signature).toContain('covered=1');
    await pruneAddresses(store, workspaceId, { nowMs: now + 31 * dayMs });
    expect((await rows())[0]).toMatchObject({ address: null, signature: null });
  });

  test('pruning leaves other workspaces alone, and what clients have cached stays valid', async () => {
    const { store } = await open();
    const [place, other] = [await makePlace({ store }), await makePlace({ store })];
    for (const { ingest, write } of [place, other])
      await ingest(await write('a.log', `${signed('', '')}`));
    const [before, others] = [await place.state(), await other.everything()];
    expect(before.rows[0]?.address).toBe('45.9.148.3');
    const nowMs = now + 1000 * dayMs;
    expect(await pruneAddresses(store, place.workspaceId, { nowMs })).toBe(1);
    expect(await other.everything()).toEqual(others);
    const { rows, revision } = await place.state();
    expect(rows).toEqual(before.rows.map((row) => ({ ...row, address: null, signature: null })));
    expect(revision).toEqual(before.revision);
  });

  test('the bits of visitors go with the last address of their day, and verdicts stay as they were', async () => {
    const { store } = await open();
    const place = await makePlace({ store });
    const browser = browsers['Firefox on Linux'];
    const claims = ['45.9.148.3', '45.9.149.4'].map((address) => line(address, 0, 'GPTBot/1.3'));
    await place.ingest(
      await place.write('a.log', claims.join('') + line('45.9.149.4', 1, browser)),
    );
    const shown = async () =>
      (await place.rows()).map((row) => String(row.overruled_by)).toSorted();
    expect(await shown()).toEqual(['null', 'visitor_address']);
    const days = (count: number) => ({ nowMs: now + count * dayMs });
    await pruneAddresses(store, place.workspaceId, days(20));
    expect((await bits()).length).toBeGreaterThan(0);
    await pruneAddresses(store, place.workspaceId, days(40));
    expect(await bits()).toEqual([]);
    await place.ingest(await place.write('b.log', line('45.9.148.3', 2, browser)));
    expect(await shown()).toEqual(['null', 'visitor_address']);

    function bits() {
      return store.writer
        .selectFrom('visitor_bits')
        .select('slot')
        .where('workspace_id', '=', place.workspaceId)
        .execute();
    }
  });

  test(
    'a request that is read after addresses of its time are dropped is not accused, in any order of logs',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const claim = line('45.9.148.3', 0, 'GPTBot/1.3');
      const visitor = line('45.9.148.3', 1, browsers['Firefox on Linux']);
      for (const logs of [
        [claim, visitor],
        [visitor, claim],
      ]) {
        const place = await makePlace({ store });
        const nowMs = now + 40 * dayMs;
        for (const [index, log] of logs.entries()) {
          await place.ingest(await place.write(`${index}.log`, log), { clock: () => nowMs });
          await pruneAddresses(store, place.workspaceId, { nowMs });
        }
        expect((await place.rows()).map((row) => shownEvidence(row))).toEqual([
          { reason: 'read_too_late' },
        ]);
        await keepAddresses(store, place.workspaceId, { days: 60 });
        const path = await place.write('again.log', claim);
        await place.ingest(path, { clock: () => nowMs });
        expect((await place.rows()).map(({ verification }) => verification)).toEqual(['spoofed']);
      }
    },
  );
});

eachStore('a signed request', (open) => {
  test(
    'the query of a signed request is kept only if the signature covers it',
    { tags: ['once'] },
    async () => {
      const { write, ingest, rows } = await makePlace(await open());
      await ingest(await write('a.log', signed('?name=somebody', '')));
      const [row] = await rows();
      expect(row?.signature).toContain('/p');
      expect(JSON.stringify(row)).not.toContain('somebody');
    },
  );
});

function signed(query: string, covered: string): string {
  return `${JSON.stringify({
    time_iso8601: '2026-11-20T12:00:00+00:00',
    remote_addr: '45.9.148.3',
    request_method: 'GET',
    request_uri: `/p${query}`,
    http_host: 'www.acme.com',
    status: '200',
    http_user_agent: 'Chrome/120',
    http_signature_agent: '"https://chatgpt.com"',
    http_signature_input: `sig1=("@authority" ${covered}"signature-agent");created=1;expires=2;keyid="x";tag="web-bot-auth"`,
    http_signature: 'sig1=:AAAA:',
  })}\n`;
}
