import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { commandPlace } from '../../../../test/logs/crawler-commands.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const now = Date.parse('2026-11-21T00:00:00.000Z');
const line = (address: string) =>
  `${address} - - [20/Nov/2026:12:00:00 +0000] "GET /p HTTP/1.1" 200 5 "-" "GPTBot/1.3"\n`;
const list = (at: string, prefix: string) =>
  JSON.stringify({ creationTime: at, prefixes: [{ ipv4Prefix: prefix }] });

eachDatabase({ title: 'the commands of lists', onBoth: true }, (create) => {
  test(
    'the commands of lists refuse a list that no bot is judged by, and name the nearest',
    { tags: ['once'] },
    async () => {
      const { run, write } = await place(await create());
      const path = await write('a.json', list('2026-11-19T00:00:00Z', '52.230.152.0/24'));
      const wrong = await run('ranges', 'import', path, '--list', 'openai/gtpbot');
      expect(wrong.code).toBe(2);
      expect(wrong.stderr).toContain('Did you mean "openai/gptbot"?');
      const fetched = await run('ranges', 'update', 'openai/gtpbot');
      expect(fetched).toMatchObject({
        code: 2,
        stderr: wrong.stderr
          .replace(/No bot uses/, 'No operator publishes')
          .replace('imported', 'fetched'),
      });
      expect((await run('ranges', 'import', path, '--list', 'acme/fetch')).code).toBe(2);
      const bot = ['bots', 'add', 'AcmeFetch', '--company', 'Acme', '--category', 'user'];
      await run(...bot, '--list', 'acme/fetch', '--workspace', 'acme');
      for (const id of ['openai/gptbot', 'acme/fetch', 'proxy/cdn']) {
        expect((await run('ranges', 'import', path, '--list', id)).code).toBe(0);
      }
    },
  );

  test(
    'the commands of lists import no access log as a list, whatever its form, and no forger becomes verified',
    { tags: ['once'] },
    async () => {
      const { run, write } = await place(await create());
      const own = ['--workspace', 'acme', '--no-dns'];
      const bot = ['bots', 'add', 'AcmeFetch', '--company', 'Acme', '--category', 'user'];
      await run(...bot, '--list', 'acme/fetch', '--workspace', 'acme');
      const good = await write('a.json', list('2026-11-19T00:00:00Z', '20.171.207.0/24'));
      await run('ranges', 'import', good, '--list', 'openai/gptbot');
      const log = await write('access.log', line('45.9.148.3') + line('45.9.148.4'));
      const ranges = ['ranges', 'import', '--fetched-at', '1h', '--accept'];
      const lines = ['45.9.148.3 GET /', '45.9.148.3,GET,/', '45.9.148.3:443', '45.9.148.3\tx'];
      const logs = [
        log,
        ...(await Promise.all(lines.map((text) => write(`${text.length}`, text)))),
      ];
      const json = '{"client_ip":"45.9.148.3","addresses":["45.9.148.3"]}\n';
      logs.push(await write('caddy.log', json + json), await write('one.log', json));
      for (const path of logs) {
        for (const id of ['openai/gptbot', 'amazon/ip-addresses', 'meta/geofeed', 'acme/fetch']) {
          const imported = await run(...ranges, path, '--list', id);
          expect([path, id, imported.code]).toEqual([path, id, 1]);
          expect(imported.stderr).toContain('was not imported, nor any other file.');
        }
      }
      const { stdout } = await run('hits', 'ingest', log, ...own);
      expect(stdout).toMatch(/GPTBot +OpenAI +crawler +0 +0 +2\n/);
    },
  );

  test(
    'the commands of lists import no list that says it was made in the future',
    { tags: ['once'] },
    async () => {
      const { run, write } = await place(await create());
      const path = await write('a.json', list('2036-11-02T00:00:00Z', '52.230.152.0/24'));
      for (const flags of [[], ['--accept']]) {
        const { code, stderr } = await run(
          'ranges',
          'import',
          path,
          '--list',
          'openai/gptbot',
          ...flags,
        );
        expect({ code, stderr }).toEqual({
          code: 1,
          stderr: expect.stringContaining(
            'was in force at 2036-11-02T00:00:00.000Z, which is in the future',
          ),
        });
      }
    },
  );

  test('the commands of lists judge hits again without a list that was removed', async () => {
    const { run, write } = await place(await create());
    const own = ['--workspace', 'acme', '--no-dns'];
    const prefixes = ['45.9.148.0/24', '20.171.207.0/24'];
    for (const [day, prefix] of prefixes.entries()) {
      const path = await write('a.json', list(`2026-11-1${8 + day}T00:00:00Z`, prefix));
      await run('ranges', 'import', path, '--list', 'openai/gptbot');
    }
    await run('hits', 'ingest', await write('a.log', line('20.171.207.5')), ...own);
    const which = await run('ranges', 'remove', 'openai/gptbot');
    expect(which.code).toBe(2);
    expect(which.stderr).toContain('2026-11-18T00:00:00.000Z (size 1)');
    const wrong = await run('ranges', 'remove', 'openai/gptbot', '--first-at', '2026-11-01');
    expect(wrong.code).toBe(2);
    const removed = await run('ranges', 'remove', 'openai/gptbot', '--first-at', '2026-11-19');
    expect(removed.stderr).toContain('Removed openai/gptbot from 2026-11-19T00:00:00.000Z');
    const verified = await run('hits', 'verify', ...own, '--json');
    expect(JSON.parse(verified.stdout)).toMatchObject({ changed: [{ from: 'verified', hits: 1 }] });
    expect((await run('ranges', 'remove', 'openai/gptbot')).code).toBe(0);
    expect((await run('ranges', 'remove', 'openai/gptbot')).code).toBe(1);
  });
});

eachDatabase({ title: 'ranges update', onBoth: true }, (create) => {
  test('a fetched list decides the hits that wait for it, and judges no others', async () => {
    const { run, update, write, prove } = await place(await create());
    await prove();
    const before = await write('a.json', list('2026-11-18T00:00:00Z', '20.171.206.0/24'));
    await run('ranges', 'import', before, '--list', 'openai/gptbot', '--fetched-at', '2026-11-19');
    const lines = ['20.171.206.5', '20.171.207.5', '45.9.148.3'].map(line).join('');
    const log = await write('access.log', lines);
    const own = ['--workspace', 'acme', '--no-dns'];
    const ingested = await run('hits', 'ingest', log, ...own);
    expect(ingested.stdout).toMatch(/GPTBot +OpenAI +crawler +1 +0 +2\n/);
    const prefixes = [{ ipv4Prefix: '20.171.206.0/24' }, { ipv4Prefix: '20.171.207.0/24' }];
    const after = { creationTime: '2026-11-20T06:00:00Z', prefixes };
    const updated = await update(async () => Response.json(after));
    expect(JSON.parse(updated.stdout)).toMatchObject({ judged: 2 });
    const verified = await run('hits', 'verify', ...own);
    expect(verified.stderr).toContain('No verdict changed.');
    const again = await run('hits', 'ingest', log, ...own, '--from-start');
    expect(again.stdout).toMatch(/GPTBot +OpenAI +crawler +2 +1 +0\n/);
  });
});

async function place(database: string) {
  const here = await commandPlace(database);
  const update = (fetch: typeof globalThis.fetch) =>
    runCommand(
      ['ranges', 'update', 'openai/gptbot', '--no-dns', '--json', '--database', database],
      { clock: () => now, fetch },
    );
  return { ...here, update };
}
