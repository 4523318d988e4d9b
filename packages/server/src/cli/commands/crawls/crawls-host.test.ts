import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const line = (path: string) =>
  `203.0.113.7 - - [20/Nov/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 1 "-" "GPTBot/1.2"\n`;
const clock = () => Date.parse('2026-11-21T12:00:00.000Z');

eachDatabase('overheard crawls --host', (create) => {
  test('overheard crawls --host says that no hit has a site where logs name none, and how to give them one', async () => {
    const url = await create();
    const run = (words: string, stdin = '') =>
      runCommand([...words.split(' '), '--workspace', 'acme', '--database', url], { stdin, clock });
    const brand = ['--name', 'Acme', '--brand', 'Acme', '--database', url];
    await runCommand(['workspace', 'create', 'acme', ...brand], { clock });
    expect(await run('crawls --host www.acme.com')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('acme has no hits yet'),
    });
    await run('hits ingest - --no-dns', line('/a') + line('/b'));
    expect(await run('crawls --host www.acme.com')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^No hit has the name of a site[^]*--without-host/),
    });
    await run('hits remove --without-host --yes');
    await run('hits ingest - --no-dns --host www.acme.com', line('/a') + line('/b'));
    const { stdout } = await run('crawls --host www.acme.com --by page --json');
    expect(JSON.parse(stdout)).toMatchObject({ crawls: [{ path: '/a' }, { path: '/b' }] });
  });
});
