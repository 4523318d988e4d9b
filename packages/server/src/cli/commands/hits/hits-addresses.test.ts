import { expect, test } from 'vitest';
import { commandPlace, listOf, logLine } from '../../../../test/logs/crawler-commands.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

/** The same line of a bot whose operator publishes no list, so that nothing waits for one. */
const unlisted = (text: string) => text.replaceAll(/GPTBot|gptbot/g, 'Bytespider');
const own = ['--workspace', 'acme', '--no-dns'];
const day = 86_400_000;
const now = Date.parse('2026-11-21T00:00:00.000Z');

eachDatabase('the addresses of hits', (create) => {
  test('hits lose their addresses after the days that the workspace keeps them, and nothing else', async () => {
    const { run, write, hits } = await commandPlace(await create());
    await run(
      'hits',
      'ingest',
      await write('a.log', unlisted(logLine('45.9.148.3', 1) + logLine('45.9.148.3'))),
      '--workspace',
      'acme',
      '--no-dns',
    );
    expect((await hits()).map(({ address }) => address)).toEqual(['45.9.148.3', '45.9.148.3']);
    const pruned = await run('prune', '--workspace', 'acme', '--keep-addresses-days', '7');
    expect(pruned.stderr).toContain('Dropped the address of 1 hit.');
    const kept = await hits();
    expect(kept.map(({ address }) => address)).toEqual([null, '45.9.148.3']);
    expect(
      await run(
        'hits',
        'ingest',
        await write('b.log', unlisted(logLine('45.9.148.3', 1))),
        '--workspace',
        'acme',
        '--no-dns',
      ),
    ).toMatchObject({
      stderr: expect.stringContaining('0 hits new + 1 hit known'),
    });
  });

  test('an ingest drops the addresses that are too old for the workspace at its end', async () => {
    const { run, write, hits } = await commandPlace(await create());
    await run('prune', '--workspace', 'acme', '--keep-addresses-days', '7');
    const log = await write('a.log', unlisted(logLine('45.9.148.3', 1) + logLine('45.9.148.3')));
    await run('hits', 'ingest', log, ...own);
    expect((await hits()).map(({ address }) => address)).toEqual([null, '45.9.148.3']);
  });

  test('the addresses of hits stay for 90 days while a verdict waits for a list, and are judged before they go', async () => {
    const { run, runAt, write, hits, verdicts, prove } = await commandPlace(await create());
    await prove('2026-09-01');
    const archive = await write('a.log', logLine('45.9.148.3', 1).replace('/Nov/', '/Sep/'));
    await runAt(Date.parse('2026-09-21'), 'hits', 'ingest', archive, ...own);
    expect(await verdicts()).toEqual(['unverified no_list']);
    await runAt(now + 89 * day, 'prune', '--workspace', 'acme');
    expect((await hits())[0]?.address).toBe('45.9.148.3');
    const list = await write('list.json', listOf('2026-08-20T00:00:00Z', '20.171.207.0/24'));
    await run('ranges', 'import', list, '--list', 'openai/gptbot', '--fetched-at', '2026-11-20');
    const pruned = await runAt(now + 89 * day, 'prune', '--workspace', 'acme');
    expect(pruned.stderr).toContain('Dropped the address of 1 hit.');
    expect(await verdicts()).toEqual(['spoofed not_in_list']);
  });

  test('the addresses of hits go after 90 days of waiting, and at once if none are kept', async () => {
    const { run, runAt, write, hits, verdicts, prove } = await commandPlace(await create());
    await prove('2026-09-01');
    const archive = logLine('45.9.148.3', 1).replace('/Nov/', '/Sep/');
    await run('hits', 'ingest', await write('a.log', archive), ...own);
    await runAt(now + 91 * day, 'prune', '--workspace', 'acme');
    expect((await hits())[0]?.address).toBe(null);
    await run('hits', 'ingest', await write('b.log', archive.replace('.3 ', '.4 ')), ...own);
    await run('prune', '--workspace', 'acme', '--keep-addresses-days', '0');
    expect((await hits()).map(({ address }) => address)).toEqual([null, null]);
    // Reading the log again judges again, but accuses nobody: the visitors of its days are forgotten.
    const list = await write('list.json', listOf('2026-08-20T00:00:00Z', '20.171.207.0/24'));
    await run('ranges', 'import', list, '--list', 'openai/gptbot', '--fetched-at', '2026-11-20');
    const again = await run('hits', 'ingest', await write('c.log', archive), ...own);
    expect(again.stderr).toContain('0 hits new + 1 hit known');
    const late = ['unverified no_list', 'unverified read_too_late'];
    expect((await verdicts()).toSorted()).toEqual(late);
  });

  test('the addresses of hits that may be translated from IPv4 accuse nobody, and the ingest names the prefix', async () => {
    const { run, write, verdicts } = await commandPlace(await create());
    const list = JSON.stringify({
      creationTime: '2026-11-18T00:00:00Z',
      prefixes: [{ ipv4Prefix: '20.171.207.0/24' }, { ipv6Prefix: '2600:1f00::/32' }],
    });
    const path = await write('list.json', list);
    await run('ranges', 'import', path, '--list', 'openai/gptbot', '--fetched-at', '2026-11-21');
    const lines = Array.from({ length: 7 }, (_, index) => logLine(`2a00:1234::14ab:cf0${index}`));
    const { stderr } = await run('hits', 'ingest', await write('a.log', lines.join('')), ...own);
    expect(await verdicts()).toEqual(lines.map(() => 'unverified proxy_address'));
    expect(stderr).toContain('7 hits have the address of a proxy or a translator');
    expect(stderr).toContain('--nat64 2a00:1234::/96');
  });
});
