import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { asJson, rangeFile as file } from '../../../test/logs/range-list.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { importRanges } from './import-ranges.ts';
import { readFileVersions } from './file-versions.ts';

const day = 86_400_000;
const start = Date.parse('2026-11-01T00:00:00.000Z');
const before = ['20.171.0.0/24', '20.171.1.0/24'];

eachStore({ title: 'operators’ files', onBoth: false }, (open) => {
  test.each([
    ['size', Array.from({ length: 176 }, (_, index) => `20.171.${index}.0/24`)],
    ['singles', [...before, '45.9.148.0/32']],
    ['not_global', [...before, '10.0.0.0/24']],
    ['too_wide', [...before, '45.0.0.0/8']],
  ])('an unlikely list is imported only if it is accepted: %s', async (kind, prefixes) => {
    const { store } = await open();
    const lists = async () => (await readFileVersions(store.writer)).get(file.id);
    await importRanges(store, { path: await aFile(asJson(before)), id: file.id, fetchedMs: start });
    const own = { path: await aFile(asJson(prefixes)), id: file.id, fetchedMs: start + day };
    await expect(importRanges(store, own)).rejects.toMatchObject({
      code: 'list_unlikely',
      facts: { fault: { kind } },
    });
    expect(await lists()).toHaveLength(1);
    await importRanges(store, { ...own, isAccepted: true });
    expect(await lists()).toHaveLength(2);
  });

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
