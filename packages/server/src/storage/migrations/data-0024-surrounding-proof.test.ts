import { expect, test } from 'vitest';
import { restoreFirst } from '../../../test/stores/first-database.ts';
import { eachDatabase } from '../../../test/stores/stores.ts';
import { openStore } from '../open/open-store.ts';

const inList = '{"reason":"in_list","list":"openai/gptbot"}';
const refuted = '{"reason":"not_in_list","list":"openai/gptbot"}';
const never = '{"reason":"never_sent"}';

/** Day of November, host, operator, verdict and evidence. */
const stored = [
  [1, 'acme.com', 'OpenAI', 'verified', inList],
  [1, 'acme.com', 'Anthropic', 'verified', inList],
  [1, 'acme.com', 'OpenAI', 'spoofed', refuted],
  [2, 'acme.com', 'OpenAI', 'spoofed', refuted],
  [2, 'made.up', 'OpenAI', 'spoofed', refuted],
  [2, null, 'Google', 'spoofed', never],
  [3, 'acme.com', 'OpenAI', 'verified', inList],
  [4, 'acme.com', 'Anthropic', 'verified', inList],
  [4, 'half.example', 'OpenAI', 'verified', inList],
  [5, 'acme.com', 'OpenAI', 'spoofed', refuted],
  [5, 'half.example', 'OpenAI', 'spoofed', refuted],
  [6, 'half.example', 'OpenAI', 'verified', inList],
  [6, null, 'Google', 'verified', null],
] as const;

eachDatabase('a database with accusations of before', (create, dialect) => {
  test('accusations by lists and names are withdrawn by the upgrade, and those of tokens that never crawl stay', async () => {
    const url = await create({ isMigrated: false });
    const quoted = (value: string | null) => (value === null ? 'null' : `'${value}'`);
    const hits = stored.map(([day, host, operator, verification, evidence], index) => {
      const id = `hit-${String(index).padStart(2, '0')}`;
      const at = `2026-11-0${day}T12:00:00.000Z`;
      const bot = [id, host, 'Bot', operator, 'crawler', '/', 'GET', verification, at];
      return `(${['w', ...bot, '192.0.2.7', 'xxxxx.y', evidence].map(quoted).join(', ')})`;
    });
    const columns =
      'workspace_id, id, host, bot_name, bot_company, category, path, method, verification, hit_at, address, address_group, evidence';
    await restoreFirst(url, dialect, {
      data: `insert into hits (${columns}) values ${hits.join(', ')}`,
    });
    const store = await openStore(url);
    const rows = () =>
      store.writer
        .selectFrom('hits')
        .select(['verification', 'overruled_by'])
        .orderBy('id')
        .execute();
    const after = (await rows()).map(({ verification, overruled_by: by }, index) => [
      ...(stored[index]?.slice(0, 2) ?? []),
      verification,
      by,
    ]);
    const accused = after.filter((_, index) => stored[index]?.[3] === 'spoofed');
    expect(accused).toEqual([
      [1, 'acme.com', 'unverified', 'site_unproven'],
      [2, 'acme.com', 'unverified', 'site_unproven'],
      [2, 'made.up', 'unverified', 'site_unproven'],
      [2, null, 'spoofed', null],
      [5, 'acme.com', 'unverified', 'site_unproven'],
      [5, 'half.example', 'unverified', 'site_unproven'],
    ]);
    expect(after.filter((row) => row[2] === 'verified')).toHaveLength(7);
    await store.close();
  });
});
