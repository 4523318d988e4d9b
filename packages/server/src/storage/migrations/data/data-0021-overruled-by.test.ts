import { expect, test } from 'vitest';
import { restoreDatabase } from '../../../../test/stores/old-database.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { openStore } from '../../open/open-store.ts';

const refuted =
  '{"reason":"not_in_list","list":"openai/gptbot","list_first_at":"2026-11-18T00:00:00.000Z"}';
const named = '{"reason":"wrong_host_name","host_name":"}}é\\"{.example"}';
const unproven = '{"reason":"no_published_means"}';

const stored = [
  ['spoofed', refuted],
  ['unverified', `{"reason":"none_verified","own":${refuted}}`],
  ['unverified', `{"reason":"none_verified","own":${named}}`],
  ['unverified', `{"reason":"many_operators","own":${unproven}}`],
  ['unverified', unproven],
  ['unverified', null],
] as const;

eachDatabase('a database whose evidence contains what other hits overrule', (create, dialect) => {
  test('a hit that other hits overrule keeps its verdict, its reason and its own evidence when a database is upgraded', async () => {
    const url = await create({ isMigrated: false });
    const hits = stored.map(([verification, evidence], index) => ({
      workspace_id: 'w',
      id: `hit-${index}`,
      bot_name: 'GPTBot',
      bot_company: 'OpenAI',
      category: 'crawler',
      path: '/',
      method: 'GET',
      verification,
      hit_at: `2026-11-20T12:00:0${index}.000Z`,
      evidence,
    }));
    await restoreDatabase(url, dialect, { migrations: 20, tables: { hits } });
    const store = await openStore(url);
    const rows = await store.writer
      .selectFrom('hits')
      .select(['verification', 'evidence', 'overruled_by'])
      .orderBy('id')
      .execute();
    await store.close();
    expect(
      rows.map(({ verification, evidence, overruled_by: by }) => [verification, by, evidence]),
    ).toEqual([
      ['unverified', 'site_unproven', refuted],
      ['unverified', 'site_unproven', refuted],
      ['unverified', 'site_unproven', named],
      ['unverified', null, unproven],
      ['unverified', null, unproven],
      ['unverified', null, null],
    ]);
  });
});
