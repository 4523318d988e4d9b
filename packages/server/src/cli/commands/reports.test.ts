import { expect, test } from 'vitest';
import { filled } from '../../../test/answers/reporting.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { promptId } from '../../values/uuid.ts';

const asked = promptId({ text: 'Which tool suits team 1?', language: 'en', locale: 'en-US' });
const countTables = [
  'rollup_states',
  'run_counts',
  'source_counts',
  'hit_days',
  'hit_pages',
] as const;

eachStore('overheard shares, sources and crawls', (open) => {
  test('overheard shares, sources and crawls print with --json what the API responds with, for each filter', async () => {
    const { run, read } = await filled(open);
    for (const [line, path] of [
      ['shares', 'shares'],
      ['shares --by engine --days 7', 'shares?by=engine&from=2026-11-14&to=2026-11-20'],
      ['shares --days 7 --to 2026-11-10', 'shares?from=2026-11-04&to=2026-11-10'],
      [
        'shares --by week --locale de-DE --engine chatgpt --competitor-prompts exclude --limit 5',
        'shares?by=week&locale=de-DE&engine=chatgpt&competitor_prompts=exclude&limit=5',
      ],
      ['shares --prompt "which tool suits team 1?"', `shares?prompt_id=${asked}`],
      [`sources --by page --prompt ${asked.slice(0, 12)}`, `sources?by=page&prompt_id=${asked}`],
      ['sources --from 2026-10-01 --to 2026-10-31', 'sources?from=2026-10-01&to=2026-10-31'],
      ['crawls', 'crawls'],
      [
        'crawls --by page --host WWW.acme.com --bot GPTBot',
        'crawls?by=page&host=www.acme.com&bot_name=GPTBot',
      ],
      ['crawls --by day --days 10', 'crawls?by=day&from=2026-11-11&to=2026-11-20'],
      ['crawls --to 2026-11-11', 'crawls?to=2026-11-11'],
    ] as const) {
      const { code, stdout, stderr } = await run(`${line} --json`);
      expect({ line, code, stderr }).toMatchObject({ line, code: 0 });
      const printed: Record<string, unknown[]> = JSON.parse(stdout);
      expect([line, printed]).toEqual([line, await read(path)]);
      expect([line, Object.values(printed).flat().length > 0]).toEqual([line, true]);
    }
  });

  test(
    'overheard shares, sources and crawls count all runs and hits after an upgrade, before a server was started',
    { tags: ['long'] },
    async () => {
      const { store, workspaceId, run } = await filled(open);
      const lines = ['shares', 'sources --by page', 'crawls', 'crawls --by page'];
      const printed: string[] = [];
      for (const line of lines) printed.push((await run(`${line} --json`)).stdout);
      for (const [index, line] of lines.entries()) {
        for (const table of countTables) {
          await store.writer.deleteFrom(table).where('workspace_id', '=', workspaceId).execute();
        }
        const { code, stdout } = await run(`${line} --json`);
        expect([line, code, stdout]).toEqual([line, 0, printed[index]]);
      }
    },
  );

  test('overheard shares, sources and crawls print with --csv every field of the same rows', async () => {
    const { run } = await filled(open);
    for (const command of ['shares --by engine', 'sources --by page', 'crawls --by page']) {
      const json = Object.values(JSON.parse((await run(`${command} --json`)).stdout)).flat();
      const [heading = '', ...lines] = (await run(`${command} --csv`)).stdout.trim().split('\n');
      expect(lines.length).toBe(json.length);
      expect(heading.split(',')).toEqual(Object.keys(Object(json[0])));
      expect(lines[0]?.split(',')).toEqual(
        Object.values(Object(json[0])).map((value) =>
          value === null ? '' : JSON.stringify(value).replaceAll('"', ''),
        ),
      );
    }
    expect(await run('shares --csv --json')).toMatchObject({ code: 2 });
  });

  test('overheard shares, sources and crawls list own pages that are read and not cited, or cited and not read, beside each other', async () => {
    const { run } = await filled(open);
    const { code, stdout, stderr } = await run('crawls --beside-sources');
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^From 2026-10-24 to 2026-11-20 \(UTC\): \d+ pages? read and not cited, \d+ pages? cited and not read, \d+ pages? refused/,
      ),
    });
    const chain = JSON.parse((await run('crawls --beside-sources --json')).stdout);
    const pages = [chain.read_not_cited, chain.cited_not_read, chain.refused].flat();
    expect(pages.length).toBeGreaterThan(0);
    for (const { page } of pages) expect(stdout).toContain(page);
    const csv = (await run('crawls --beside-sources --csv')).stdout.trim().split('\n');
    expect(csv).toHaveLength(pages.length + 1);
    expect(csv[0]).toMatch(/^list,page,reads,refusals,runs,/);
    expect(await run('crawls --beside-sources --by page')).toMatchObject({ code: 2 });
  });

  test('overheard shares, sources and crawls show no rate without its sample size and interval, and no change without a verdict', async () => {
    const { run } = await filled(open);
    const { stdout, stderr } = await run('shares --by engine');
    const figure =
      /^\S+ +\w+ +(?:(?:\d+|under 1|over 99) % (?:of|in) \d+ answers \((?:\d+ to \d+|no interval)\)) +(?:(?:up|down) by [\d.]+|within chance \([+-][\d.]+\)|too few to compare(?: \([+-][\d.]+\))?|not comparable)$/;
    const rows = stdout.split('\n').filter((line) => /^(?:Acme|Globex|Initech)/.test(line));
    expect(rows).toHaveLength(18);
    for (const row of rows) expect(row).toMatch(figure);
    expect(stderr).toContain('Runs from 2026-10-24 to 2026-11-20 (UTC).');
    expect(stderr).toContain('its 95 % interval');
    expect((await run('sources --limit 1')).stdout).toMatch(/ (?:\d+|under 1) % of \d+ answers /);
  });
});
