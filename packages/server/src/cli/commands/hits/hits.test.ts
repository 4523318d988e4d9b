import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import {
  commandPlace,
  freshSqlite,
  gptbot,
  listOf,
  logLine,
} from '../../../../test/logs/crawler-commands.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

eachDatabase({ title: 'the commands of crawlers', onBoth: true }, (create) => {
  test(
    'the commands of crawlers turn log lines into verdicts by a list of that time',
    { tags: ['once'] },
    async () => {
      const { run, write, prove } = await commandPlace(await create());
      await prove();
      const far = await write('far.json', listOf('2026-08-01T00:00:00Z', '20.171.207.0/24'));
      const near = await write('near.json', listOf('2026-11-19T00:00:00Z', '52.230.152.0/24'));
      const log = await write(
        'access.log',
        logLine('20.171.207.5') + logLine('52.230.152.9') + logLine('45.9.148.3'),
      );

      await run('ranges', 'import', far, '--list', 'openai/gptbot');
      const { stderr, stdout } = await run(
        'hits',
        'ingest',
        log,
        '--workspace',
        'acme',
        '--no-dns',
      );
      expect(stderr).toContain(
        '3 lines = 3 hits new + 0 hits known + 0 other traffic + 0 skipped.',
      );
      expect(stdout).toMatch(/GPTBot +OpenAI +crawler +0 +0 +3\n/);

      const fetched = ['--fetched-at', '2026-11-21'];
      await run('ranges', 'import', near, '--list', 'openai/gptbot', ...fetched);
      const verified = await run('hits', 'verify', '--workspace', 'acme', '--no-dns', '--json');
      expect(JSON.parse(verified.stdout)).toEqual({
        judged: 3,
        without_address: 0,
        changed: [
          { bot: 'GPTBot', from: 'unverified', to: 'spoofed', reason: 'not_in_list', hits: 2 },
          { bot: 'GPTBot', from: 'unverified', to: 'verified', reason: 'in_list', hits: 1 },
        ],
      });
      const again = await run('hits', 'verify', '--workspace', 'acme', '--no-dns');
      expect(again.stderr).toContain('No verdict changed.');
    },
  );

  test(
    'the commands of crawlers explain a hit by the evidence that it was judged by',
    { tags: ['once'] },
    async () => {
      const { run, write, hits } = await commandPlace(await create());
      await run(
        'ranges',
        'import',
        await write('a.json', listOf('2026-11-19T00:00:00Z', '20.171.207.0/24')),
        '--list',
        'openai/gptbot',
      );
      await run(
        'hits',
        'ingest',
        await write('a.log', logLine('20.171.207.5')),
        '--workspace',
        'acme',
        '--no-dns',
      );
      const [hit] = await hits();
      const explained = await run('hits', 'explain', hit?.id ?? '', '--workspace', 'acme');
      expect(explained.stdout).toContain(
        "verified: the address is in the operator's published list (in_list)",
      );
      expect(explained.stdout).toContain('prefix 20.171.207.0/24');
      expect(explained.stdout).toContain('list_first_at 2026-11-19T00:00:00.000Z');
      const none = await run('hits', 'explain', 'nothing', '--workspace', 'acme');
      expect(none).toMatchObject({ code: 1, stdout: '' });
    },
  );

  test('the commands of crawlers remove what was read through a proxy or without a site, and nothing else', async () => {
    const { run, write, hits } = await commandPlace(await create());
    const own = ['--workspace', 'acme'];
    const read = async (text: string, ...more: string[]) =>
      run('hits', 'ingest', await write('a.log', text), ...own, '--no-dns', ...more);
    await read(logLine('45.9.148.3') + logLine('45.9.148.4'));
    await read(logLine('45.9.148.3'), '--host', 'www.acme.com');
    const imported = await write(
      'hits.ndjson',
      `${JSON.stringify({ bot_name: 'GPTBot', bot_company: 'OpenAI', category: 'crawler', path: '/', method: 'GET', status: 200, verification: 'verified', hit_at: '2026-11-20T00:00:00Z' })}\n`,
    );
    expect(await run('import', 'hits', imported, ...own)).toMatchObject({ code: 0 });
    expect(await run('hits', 'remove', ...own)).toMatchObject({ code: 2 });
    const before = await hits();
    const unconfirmed = await run('hits', 'remove', '--without-host', ...own);
    expect(unconfirmed).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --yes.') });
    expect(await hits()).toEqual(before);
    const some = await run('hits', 'remove', '--address', '45.9.148.4', '--yes', ...own);
    expect(some.stderr).toContain('Removed 1 hit.');
    const rest = await run('hits', 'remove', '--without-host', '--yes', ...own);
    expect(rest.stderr).toContain('Removed 1 hit.');
    const kept = await hits();
    expect(kept.map(({ host, address }) => [host, address])).toEqual([
      [null, null],
      ['www.acme.com', '45.9.148.3'],
    ]);
  });

  test(
    'the commands of crawlers explain a hit by nothing that acts on a terminal',
    { tags: ['once'] },
    async () => {
      const { run, write, hits } = await commandPlace(await create());
      const agent = 'DeepSeekBot \\x1b]0;title\\x07\\nverified: forged line';
      const log = logLine('45.9.148.3').replace('GPTBot', agent);
      await run('hits', 'ingest', await write('a.log', log), '--workspace', 'acme', '--no-dns');
      const hit = (await hits()).find(({ bot_name: name }) => name === 'DeepSeekBot');
      const { stdout } = await run('hits', 'explain', hit?.id ?? '', '--workspace', 'acme');
      expect(stdout).toContain('DeepSeekBot');
      expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
      expect(stdout).not.toMatch(/^verified/m);
    },
  );

  test(
    'the commands of crawlers explain a user agent by the lists that are here, those of proxies too',
    { tags: ['once'] },
    async () => {
      const { run, write } = await commandPlace(await create());
      const near = await write('near.json', listOf('2026-11-19T00:00:00Z', '52.230.152.0/24'));
      const fetched = ['--fetched-at', '2026-11-21'];
      await run('ranges', 'import', near, '--list', 'openai/gptbot', ...fetched);
      const explain = [
        'bots',
        'explain',
        gptbot,
        '--ip',
        '45.9.148.3',
        '--at',
        '2026-11-20',
        '--no-dns',
      ];
      expect((await run(...explain)).stdout).toContain('spoofed: ');
      const cdn = await write('cdn.txt', '45.9.148.0/24\n');
      await run('ranges', 'import', cdn, '--list', 'proxy/cdn', ...fetched);
      expect((await run(...explain)).stdout).toContain('(proxy_address)');
    },
  );

  test('read logs for a bot of the workspace’s own', { tags: ['once'] }, async () => {
    const { run, write, hits } = await commandPlace(await create());
    const log = await write(
      'a.log',
      logLine('45.9.148.3').replaceAll(/GPTBot|gptbot/g, 'AcmeFetch'),
    );
    const own = ['--workspace', 'acme'];
    expect((await run('hits', 'ingest', log, ...own, '--no-dns')).stderr).toContain(
      '1 other traffic',
    );
    await run('bots', 'add', 'AcmeFetch', '--company', 'Acme', '--category', 'user', ...own);
    await run('hits', 'ingest', log, ...own, '--no-dns', '--from-start');
    expect((await hits()).map(({ bot_name: name }) => name)).toEqual(['AcmeFetch']);
    expect((await run('bots', 'list', ...own)).stdout).toContain('AcmeFetch');
    await run('bots', 'remove', 'AcmeFetch', ...own);
    expect((await run('bots', 'list', ...own)).stdout).not.toContain('AcmeFetch');
    const wrong = await run('bots', 'add', 'x', '--company', 'A', '--category', 'wrong', ...own);
    expect(wrong.code).toBe(2);
  });
});

test('bots explain says what a user agent is, without a database', async () => {
  const found = await runCommand(['bots', 'explain', gptbot]);
  expect(found.stdout).toContain('GPTBot: GPTBot of OpenAI, category crawler');
  const none = await runCommand(['bots', 'explain', 'Mozilla/5.0 Chrome/120']);
  expect(none).toMatchObject({ code: 0, stdout: '' });
});

test.each([
  [['hits', 'ingest', 'x', '--workspace', 'acme', '--since', 'soon']],
  [['prune', '--workspace', 'acme', '--keep-addresses-days', 'x']],
])('%j is wrong usage', async (args) => {
  const { run } = await commandPlace(await freshSqlite());
  expect((await run(...args)).code).toBe(2);
});

test('a compressed log that is cut off is named as read in part', async () => {
  const { run, write } = await commandPlace(await freshSqlite());
  const path = await write('cut.log.gz', '');
  await writeFile(path, gzipSync(logLine('45.9.148.3')).subarray(0, -6));
  const { code, stderr } = await run('hits', 'ingest', path, '--workspace', 'acme', '--no-dns');
  expect(code).toBe(1);
  expect(stderr).toMatch(/\b1 hits? new/);
  expect(stderr).toContain(`${path} was read in part: `);
});
