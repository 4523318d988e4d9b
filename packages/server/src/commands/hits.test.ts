import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { runCommand } from '../../test/command-line.ts';
import { eachDatabase } from '../../test/stores.ts';
import { openStore } from '../storage/open.ts';

const now = Date.parse('2026-11-21T00:00:00.000Z');
const gptbot = 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)';
const line = (address: string, day = 20) =>
  `${address} - - [${day}/Nov/2026:12:00:00 +0000] "GET /p?x=1 HTTP/1.1" 200 5 "-" "${gptbot}"\n`;
const list = (at: string, prefix: string) =>
  JSON.stringify({ creationTime: at, prefixes: [{ ipv4Prefix: prefix }] });

eachDatabase('the commands of crawlers', (create) => {
  test('take a log from its lines to verdicts that a nearer list changes', async () => {
    const { run, write } = await place(await create());
    const far = await write('far.json', list('2026-08-01T00:00:00Z', '20.171.207.0/24'));
    const near = await write('near.json', list('2026-11-19T00:00:00Z', '52.230.152.0/24'));
    const log = await write(
      'access.log',
      line('20.171.207.5') + line('52.230.152.9') + line('45.9.148.3'),
    );

    await run('ranges', 'import', far, '--list', 'openai/gptbot');
    const { stderr, stdout } = await run('hits', 'ingest', log, '--workspace', 'acme', '--no-dns');
    expect(stderr).toContain('3 lines = 3 hits new + 0 hits known + 0 other traffic + 0 skipped.');
    expect(stdout).toMatch(/GPTBot +OpenAI +crawler +1 +0 +2\n/);

    await run('ranges', 'import', near, '--list', 'openai/gptbot');
    const verified = await run('hits', 'verify', '--workspace', 'acme', '--no-dns', '--json');
    expect(JSON.parse(verified.stdout)).toEqual({
      judged: 3,
      without_address: 0,
      changed: [
        { bot: 'GPTBot', from: 'unverified', to: 'spoofed', reason: 'not_in_list', hits: 1 },
        { bot: 'GPTBot', from: 'unverified', to: 'verified', reason: 'in_list', hits: 1 },
        { bot: 'GPTBot', from: 'verified', to: 'spoofed', reason: 'not_in_list', hits: 1 },
      ],
    });
    const again = await run('hits', 'verify', '--workspace', 'acme', '--no-dns');
    expect(again.stderr).toContain('No verdict changed.');
  });

  test('explain a hit by the evidence that it was judged by', async () => {
    const { run, write, hits } = await place(await create());
    await run(
      'ranges',
      'import',
      await write('a.json', list('2026-11-19T00:00:00Z', '20.171.207.0/24')),
      '--list',
      'openai/gptbot',
    );
    await run(
      'hits',
      'ingest',
      await write('a.log', line('20.171.207.5')),
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
  });

  test('say how to get lists where there is none', async () => {
    const { run, write } = await place(await create());
    const log = await write('a.log', line('45.9.148.3'));
    const ingest = ['hits', 'ingest', log, '--workspace', 'acme', '--no-dns', '--from-start'];
    expect((await run(...ingest)).stderr).toContain('overheard ranges update');
    const path = await write('a.json', list('2026-11-19T00:00:00Z', '52.230.152.0/24'));
    await run('ranges', 'import', path, '--list', 'proxy/cdn');
    expect((await run(...ingest)).stderr).toContain('overheard ranges update');
    await run('ranges', 'import', path, '--list', 'openai/gptbot');
    expect((await run(...ingest)).stderr).not.toContain('overheard ranges update');
  });

  test('take back what was read through a proxy or without a site, and nothing else', async () => {
    const { run, write, hits } = await place(await create());
    const own = ['--workspace', 'acme'];
    const read = async (text: string, ...more: string[]) =>
      run('hits', 'ingest', await write('a.log', text), ...own, '--no-dns', ...more);
    await read(line('45.9.148.3') + line('45.9.148.4'));
    await read(line('45.9.148.3'), '--host', 'www.acme.com');
    const imported = await write(
      'hits.ndjson',
      `${JSON.stringify({ bot_name: 'GPTBot', bot_company: 'OpenAI', category: 'crawler', path: '/', method: 'GET', status: 200, verification: 'verified', hit_at: '2026-11-20T00:00:00Z' })}\n`,
    );
    expect(await run('import', 'hits', imported, ...own)).toMatchObject({ code: 0 });
    expect(await run('hits', 'remove', ...own)).toMatchObject({ code: 2 });
    const some = await run('hits', 'remove', '--address', '45.9.148.4', ...own);
    expect(some.stderr).toContain('Removed 1 hit.');
    const rest = await run('hits', 'remove', '--without-host', ...own);
    expect(rest.stderr).toContain('Removed 1 hit.');
    const kept = await hits();
    expect(kept.map(({ host, address }) => [host, address])).toEqual([
      [null, null],
      ['www.acme.com', '45.9.148.3'],
    ]);
  });

  test('explain a hit with what else its address claimed, and by nothing that acts on a terminal', async () => {
    const { run, write, hits } = await place(await create());
    const at = (time: string, agent: string) =>
      line('45.9.148.3').replace('12:00:00', time).replace('GPTBot', agent);
    // Within ten minutes, over the border of two times ten minutes of the clock.
    const log = [
      at('12:08:00', 'Bytespider'),
      at('12:09:00', 'GrokBot'),
      at('12:11:00', 'DeepSeekBot \\x1b]0;title\\x07\\nverified: forged line'),
    ];
    await run(
      'hits',
      'ingest',
      await write('a.log', log.join('')),
      '--workspace',
      'acme',
      '--no-dns',
    );
    const hit = (await hits()).find(({ bot_name: name }) => name === 'DeepSeekBot');
    const { stdout } = await run('hits', 'explain', hit?.id ?? '', '--workspace', 'acme');
    expect(stdout).toMatch(
      /same address: Bytespider .*\n.*same address: GrokBot .*\n.*DeepSeekBot/,
    );
    expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
    expect(stdout).not.toMatch(/^verified/m);
  });

  test('explain a user agent by the proxies that the workspace’s logs show', async () => {
    const { run, write } = await place(await create());
    const near = await write('near.json', list('2026-11-19T00:00:00Z', '52.230.152.0/24'));
    await run('ranges', 'import', near, '--list', 'openai/gptbot');
    const log = Array.from({ length: 30 }, (_, index) =>
      line('45.9.148.3').replace('/p?x=1', `/${index}`),
    );
    const own = ['--workspace', 'acme', '--no-dns'];
    await run('hits', 'ingest', await write('a.log', log.join('')), ...own);
    const explain = ['bots', 'explain', gptbot, '--ip', '45.9.148.3'];
    expect((await run(...explain, '--no-dns')).stdout).toContain('spoofed');
    expect((await run(...explain, ...own)).stdout).toContain('(proxy_ip)');
  });

  test('drop addresses after the days that the workspace keeps them, and nothing else', async () => {
    const { run, write, hits } = await place(await create());
    await run(
      'hits',
      'ingest',
      await write('a.log', line('45.9.148.3', 1) + line('45.9.148.3')),
      '--workspace',
      'acme',
      '--no-dns',
    );
    expect((await hits()).map(({ address }) => address)).toEqual(['45.9.148.3', '45.9.148.3']);
    const pruned = await run('prune', '--workspace', 'acme', '--keep-addresses-days', '7');
    expect(pruned.stderr).toContain('Dropped the addresses of 1 hits.');
    const kept = await hits();
    expect(kept.map(({ address }) => address)).toEqual([null, '45.9.148.3']);
    expect(
      await run(
        'hits',
        'ingest',
        await write('b.log', line('45.9.148.3', 1)),
        '--workspace',
        'acme',
        '--no-dns',
      ),
    ).toMatchObject({
      stderr: expect.stringContaining('0 hits new + 1 hits known'),
    });
  });

  test('say that judging again was stopped where it left something', async () => {
    const { run, write, stopped } = await place(await create());
    const own = ['--workspace', 'acme', '--no-dns'] as const;
    expect(await stopped('hits', 'verify', ...own)).toMatchObject({ code: 0 });
    await run('hits', 'ingest', await write('a.log', line('45.9.148.3')), ...own);
    const { code, stderr } = await stopped('hits', 'verify', ...own);
    expect([code, stderr]).toEqual([130, expect.stringContaining('Stopped.')]);
  });

  test('drop the addresses that are too old for the workspace at the end of an ingest', async () => {
    const { run, write, hits } = await place(await create());
    const own = ['--workspace', 'acme'];
    await run('prune', ...own, '--keep-addresses-days', '7');
    const log = await write('a.log', line('45.9.148.3', 1) + line('45.9.148.3'));
    await run('hits', 'ingest', log, ...own, '--no-dns');
    expect((await hits()).map(({ address }) => address)).toEqual([null, '45.9.148.3']);
  });

  test('read logs for a bot of the workspace’s own', async () => {
    const { run, write, hits } = await place(await create());
    const log = await write('a.log', line('45.9.148.3').replaceAll(/GPTBot|gptbot/g, 'AcmeFetch'));
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

test('a dry run that is stopped does not say that something was kept', async () => {
  const database = `file:${join(await folder(), 'x.db')}`;
  const { write } = await place(database);
  const args = ['hits', 'ingest', await write('a.log', line('1.1.1.1')), '--workspace', 'acme'];
  const { code, stderr } = await runCommand([...args, '--dry-run', '--database', database], {
    clock: () => now,
    signal: AbortSignal.abort(),
  });
  expect(code).toBe(130);
  expect(stderr).toContain('Stopped. Nothing was written.');
});

test.each([
  [['hits', 'ingest', 'x', '--workspace', 'acme', '--since', 'soon']],
  [['hits', 'ingest', '-', '--workspace', 'acme', '--follow']],
  [['ranges', 'update', 'nobody/nothing']],
  [['prune', '--workspace', 'acme', '--keep-addresses-days', 'x']],
])('%j is wrong usage', async (args) => {
  const { run } = await place(`file:${join(await folder(), 'x.db')}`);
  expect((await run(...args)).code).toBe(2);
});

async function place(database: string) {
  const logs = await folder();
  const run = (...args: string[]) =>
    runCommand([...args, '--database', database], { clock: () => now });
  await run('workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme');
  return {
    run,
    stopped: (...args: string[]) =>
      runCommand([...args, '--database', database], { signal: AbortSignal.abort() }),
    write: async (name: string, text: string) => {
      const path = join(logs, name);
      await writeFile(path, text);
      return path;
    },
    hits: async () => {
      const store = await openStore(database);
      const rows = await store.reader
        .selectFrom('hits')
        .select(['id', 'host', 'address', 'bot_name'])
        .orderBy('hit_at')
        .execute();
      await store.close();
      return z
        .array(
          z.object({
            id: z.string(),
            host: z.string().nullable(),
            address: z.string().nullable(),
            bot_name: z.string(),
          }),
        )
        .parse(rows);
    },
  };
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'overheard-hits-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}
