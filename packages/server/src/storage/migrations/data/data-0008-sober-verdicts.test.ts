import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { restoreDatabase } from '../../../../test/stores/old-database.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { shownEvidence } from '../../../crawlers/hits/hit.ts';
import { openStore } from '../../open/open-store.ts';

/** The rows of a database that the version before made of real commands, by table. */
const before = z
  .record(z.string(), z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))))
  .parse(
    JSON.parse(
      readFileSync(
        new URL('../../../../test/stores/crawlers-database-0003.json', import.meta.url),
        'utf8',
      ),
    ),
  );

eachDatabase('a database of the version before', (create, dialect) => {
  test('a database of the version before keeps its hits, calls nobody spoofed who is in doubt by today’s rules, and reads its logs on', async () => {
    const url = await create({ isMigrated: false });
    await restoreDatabase(url, dialect, { migrations: 3, tables: before });
    const store = await openStore(url);
    const rows = await store.writer
      .selectFrom('hits')
      .select(['bot_name', 'address', 'verification', 'evidence', 'overruled_by'])
      .orderBy('hit_at')
      .execute();
    expect(rows).toHaveLength(before['hits']?.length ?? 0);
    expect(
      rows.map((row) => [row.bot_name, row.verification, shownEvidence(row)?.reason].join(' ')),
    ).toEqual([
      'GPTBot unverified list_too_old',
      'GPTBot verified in_list',
      'GPTBot unverified site_unproven',
      'Bytespider unverified no_published_means',
      'GrokBot unverified no_published_means',
      'DeepSeekBot unverified no_published_means',
      'ClaudeBot unverified private_address',
      'Google-Extended spoofed never_sent',
      'Amazonbot unverified no_list',
      'ClaudeBot unverified proxy_address',
      'Bytespider unverified no_published_means',
      'ClaudeBot unverified site_unproven',
      'ClaudeBot unverified site_unproven',
      'GPTBot unverified list_pending',
    ]);
    const [log] = await store.writer.selectFrom('log_files').selectAll().execute();
    expect(log?.fingerprint).toBe(before['log_files']?.[0]?.['tail']);
    await store.close();
    const words = 'hits verify --workspace acme --no-dns --database'.split(' ');
    const verified = await runCommand([...words, url]);
    expect(verified).toMatchObject({ code: 0 });
  });
});
