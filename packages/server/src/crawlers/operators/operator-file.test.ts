import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { asJson, rangeFile as file } from '../../../test/logs/range-list.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { refusalWords } from '../../refusals.ts';
import { importRanges } from './import-ranges.ts';
import { readFileVersions } from './file-versions.ts';
import { updateRanges } from './update-ranges.ts';

const day = 86_400_000;
const start = Date.parse('2026-11-01T00:00:00.000Z');
const signal = new AbortController().signal;

eachStore({ title: 'operators’ files', onBoth: false }, (open) => {
  test(
    'an unlikely list is imported and fetched only if it is accepted',
    { tags: ['long'] },
    async () => {
      const networks = (count: number) =>
        Array.from({ length: count }, (_, index) => `20.171.${index}.0/24`);
      const singles = (count: number) =>
        Array.from({ length: count }, (_, index) => `45.9.148.${index}/32`);
      const before = networks(2);
      for (const prefixes of [
        networks(176),
        [...before, ...singles(1)],
        [...before, '10.0.0.0/24'],
        [...before, '192.160.0.0/12'],
        [...before, '127.0.0.1/32'],
        [...before, '45.0.0.0/8'],
      ]) {
        const { store } = await open();
        const ask = (list: readonly string[], accepted: string[] = []) =>
          updateRanges(store, {
            files: [file],
            fetch: async () => new Response(asJson(list)),
            clock: () => start,
            signal,
            words: refusalWords,
            accepted,
          });
        await ask(before);
        expect(await ask(prefixes)).toMatchObject([
          { outcome: 'failed', problem: expect.stringContaining('ranges update --accept') },
        ]);
        const path = await aFile(asJson(prefixes));
        const own = { path, id: file.id, fetchedMs: start + day };
        await expect(importRanges(store, own)).rejects.toMatchObject({ code: 'list_unlikely' });
        expect((await readFileVersions(store.writer)).get(file.id)).toHaveLength(1);
        await importRanges(store, { ...own, isAccepted: true });
        expect(await ask(prefixes, [file.id])).toMatchObject([{ outcome: 'unchanged' }]);
      }
    },
  );

  test('a list may grow as operators let theirs grow', async () => {
    const { store } = await open();
    const networks = (count: number) =>
      asJson(Array.from({ length: count }, (_, index) => `20.171.${index}.0/24`));
    for (const [index, count] of [2, 20, 41, 100].entries()) {
      const path = await aFile(networks(count));
      await importRanges(store, { path, id: file.id, fetchedMs: start + index * day });
    }
    const addresses = Array.from({ length: 30 }, (_, index) => `45.9.148.${index}`).join('\n');
    const proxy = { path: await aFile(addresses), id: 'proxy/cdn', fetchedMs: start };
    expect(await importRanges(store, proxy)).toHaveLength(1);
    const feed = { path: await aFile(addresses), id: 'meta/geofeed', fetchedMs: start };
    await expect(importRanges(store, feed)).rejects.toMatchObject({
      facts: { fault: { kind: 'visitors', singles: 30 } },
    });
  });

  test('a list that covers the whole internet is refused even if it is accepted', async () => {
    const { store } = await open();
    for (const prefix of ['0.0.0.0/0', '0.0.0.0/1', '::/0', '2000::/3']) {
      const path = await aFile(asJson([prefix]).replace(/ipv4(?=.*::)/, 'ipv6'));
      const own = { path, id: file.id, fetchedMs: start, isAccepted: true };
      await expect(importRanges(store, own)).rejects.toMatchObject({
        facts: { fault: { kind: 'too_wide' } },
      });
    }
  });
});

async function aFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-lists-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'list');
  await writeFile(path, text);
  return path;
}
