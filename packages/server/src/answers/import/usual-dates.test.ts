import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../test/stores/stores.ts';
import { openStore } from '../../storage/open/open-store.ts';

const clock = (): number => Date.parse('2026-11-20T12:00:00.000Z');
const header = 'Question,Date,Response\n';
const row = (date: string): string => `Which CRM suits?,${date},Take Acme.\n`;

eachDatabase({ title: 'rows of another tool', onBoth: false }, (create) => {
  async function prepare() {
    const url = await create();
    const folder = await mkdtemp(join(tmpdir(), 'overheard-dates-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const map = join(folder, 'map.json');
    const mapping = { prompt: 'Question', run_at: 'Date', answer: 'Response' };
    await writeFile(map, JSON.stringify({ ...mapping, engine: { value: 'chatgpt' } }));
    const run = (stdin: string, ...args: string[]) =>
      runCommand([...args, '--workspace', 'acme', '--database', url], { stdin, clock });
    await runCommand(
      ['workspace', 'create', 'acme', '--name', 'A', '--brand', 'Acme', '--database', url],
      { clock },
    );
    const moments = async (): Promise<string[]> => {
      const store = await openStore(url);
      const rows = await store.reader
        .selectFrom('runs')
        .select('run_at')
        .orderBy('run_at')
        .execute();
      await store.close();
      return rows.map(({ run_at: at }) => at);
    };
    const answers = ['answers', 'import', '-'] as const;
    return {
      moments,
      bring: (stdin: string, ...more: string[]) => run(stdin, ...answers, '--map', map, ...more),
      bringUnmapped: (stdin: string, ...more: string[]) => run(stdin, ...answers, ...more),
    };
  }

  test('rows of another tool may have usual dates, which are UTC or of the zone that is named', async () => {
    const { bring, moments } = await prepare();
    const usual = header + row('2026-11-18') + row('2026-11-17 09:30') + row('2026-11-16T09:30:15');
    const imported = await bring(usual);
    expect(imported).toMatchObject({ code: 0 });
    expect(imported.stderr).toContain('2 rows have a time without a zone, which is read as UTC.');
    expect(await moments()).toEqual([
      '2026-11-16T09:30:15.000Z',
      '2026-11-17T09:30:00.000Z',
      '2026-11-18T00:00:00.000Z',
    ]);
    const again = await bring(usual, '--timezone', 'UTC');
    expect(again.stderr).toContain('Imported no new run; 3 were there already');
    expect(again.stderr).not.toContain('without a zone');
    const berlin = header + row('2026-11-10 09:30') + row('2026-11-11 09:30+00:00');
    expect(await bring(berlin, '--timezone', 'Europe/Berlin')).toMatchObject({ code: 0 });
    expect((await moments()).slice(0, 2)).toEqual([
      '2026-11-10T08:30:00.000Z',
      '2026-11-11T09:30:00.000Z',
    ]);
  });

  test('an import reports times that occur twice in the zone, and refuses times that the zone skips', async () => {
    const { bring, moments } = await prepare();
    const twice = await bring(header + row('2026-10-25 02:30'), '--timezone', 'Europe/Berlin');
    expect(twice.stderr).toContain('1 row has a time that occurs twice in Europe/Berlin.');
    expect(await moments()).toEqual(['2026-10-25T00:30:00.000Z']);
    const skipped = await bring(
      header + row('2026-03-29 01:30') + row('2026-03-29 02:30'),
      '--timezone',
      'Europe/Berlin',
    );
    expect(skipped).toMatchObject({ code: 1 });
    expect(skipped.stderr).toContain(':3: field "run_at": expected a time that the clocks of');
    expect(await moments()).toHaveLength(1);
    for (const date of ['18.11.2026', '11/18/2026', '2026-02-30', '2026-11-18 25:00', 'today']) {
      expect(await bring(header + row(date))).toMatchObject({ code: 1 });
    }
    expect(await bring('', '--timezone', 'Europe/Atlantis')).toMatchObject({ code: 2 });
  });

  test('rows without a mapping need a zone, and the refusal names --timezone', async () => {
    const { bringUnmapped, moments } = await prepare();
    const rows = 'prompt,engine,run_at,answer\nWhich?,chatgpt,2026-11-18 09:30,Acme.\n';
    const refused = await bringUnmapped(rows);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--timezone') });
    expect(await bringUnmapped(rows, '--timezone', 'Asia/Tokyo')).toMatchObject({ code: 0 });
    expect(await moments()).toEqual(['2026-11-18T00:30:00.000Z']);
  });
});
