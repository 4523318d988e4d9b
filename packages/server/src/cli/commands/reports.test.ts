import { expect, test } from 'vitest';
import { addSubject } from '../../../test/answers/answers.ts';
import { filled, place } from '../../../test/answers/reporting.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { importText, toLines } from '../../../test/answers/transferring.ts';
import { scores } from '../../transfer/resources/scores.ts';
import { promptId } from '../../values/uuid.ts';

const asked = promptId({ text: 'Which tool suits team 1?', language: 'en', locale: 'en-US' });
const countTables = [
  'rollup_states',
  'run_counts',
  'source_counts',
  'hit_days',
  'hit_pages',
  'hit_page_totals',
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

  test('overheard shares, sources and crawls count all runs and hits after an upgrade, before a server was started', async () => {
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
  });

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

  test('overheard shares, sources and crawls call a subject that was not tracked yet not measured, and never 0', async () => {
    const { store, workspaceId, run } = await filled(open);
    await addSubject(store, workspaceId, { name: 'Umbra', number: 4 });
    const { stdout, stderr } = await run('shares');
    expect(stdout.match(/^Umbra +not measured in \d+ answers +not comparable$/gm)).toHaveLength(2);
    expect(stderr).toContain('Not measured: the subject was not tracked in all of the answers');
  });

  test('overheard shares, sources and crawls fit a terminal of 80 columns, and leave a pipe its lines', async () => {
    const { run } = await filled(open);
    for (const command of ['shares --by prompt', 'sources', 'crawls']) {
      const { stdout } = await run(command, { columns: 80 });
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    }
    expect((await run('shares --by prompt')).stdout).toMatch(/team \d+\? .* answers \(/);
  });

  test('overheard shares, sources and crawls name the nearest name instead of an unknown one', async () => {
    const { run } = await filled(open);
    for (const [line, meant] of [
      [
        'shares --engine chatgtp',
        'no run of the engine "chatgtp" in this workspace. Did you mean "chatgpt"?',
      ],
      [
        'sources --locale en-us',
        'no prompt of the locale "en-us" in this workspace. Did you mean "en-US"?',
      ],
      ['shares --prompt "Which tool suits teams 1?"', 'Did you mean "Which tool suits team 1?"?'],
      ['sources --prompt "Globex right for team 3"', 'Did you mean "Is Globex right for team 3?"?'],
      ['sources --prompt ""', 'no prompt "" in this workspace. See'],
      ['sources --prompt ffffffff-0000-4000-8000-000000000000', 'no prompt "ffffffff'],
      [
        'crawls --host ww.acme.com',
        'no hit of the host "ww.acme.com" in this workspace. Did you mean "www.acme.com"?',
      ],
      [
        'crawls --bot gptbot',
        'no hit of the bot "gptbot" in this workspace. Did you mean "GPTBot"?',
      ],
    ] as const) {
      const { code, stdout, stderr } = await run(line);
      expect([line, code, stdout]).toEqual([line, 1, '']);
      expect(stderr).toContain('There is no ');
      expect(stderr).toContain(meant);
    }
  });

  test('overheard shares, sources and crawls refuse what the API refuses, and say what to do', async () => {
    const { run } = await filled(open);
    for (const [line, sentence] of [
      ['shares --engine ChatGPT', 'It must be a lower-case slug'],
      ['shares --by engin', 'Did you mean engine?'],
      ['shares --from 2026-11-31', 'It must be a UTC day'],
      ['shares --from 2026-11-3', 'It must be a UTC day'],
      ['sources --to yesterday', 'It must be a UTC day'],
      ['shares --from 2026-11-21', 'It is after the last day, 2026-11-20 (today).'],
      ['sources --from 2025-01-01', 'A period has at most 366 days'],
      ['shares --from 2026-11-01 --days 3', '--from or by --days, not both'],
      ['shares --days 367', 'a whole number from 1 to 366'],
      ['shares --limit 1001', 'a whole number from 1 to 1000'],
      ['crawls --from 2026-11-12 --to 2026-11-11', 'It is after the last day, 2026-11-11.'],
    ] as const) {
      const { code, stderr } = await run(line);
      expect([line, code]).toEqual([line, 2]);
      expect(stderr).toContain(sentence);
      expect(stderr).not.toContain('pattern');
    }
  });

  test('overheard shares, sources and crawls teach the next step in an empty workspace, and after an import of scores alone', async () => {
    const { run, slug, store, workspaceId } = await place(open);
    const next = `overheard answers import FILE --workspace ${slug}`;
    for (const command of ['shares', 'sources --engine chatgtp']) {
      const { code, stdout, stderr } = await run(command);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      expect(stderr).toContain(`${slug} has no counted run yet.`);
      expect(stderr).toContain(next);
    }
    expect((await run('crawls')).stderr).toContain(
      `overheard hits ingest access.log --workspace ${slug}`,
    );
    const score = { date: '2026-11-20', engine: 'chatgpt', citations: 1, total_runs: 3, sov: 1 };
    await importText(store, { workspaceId, resource: scores }, toLines([score]));
    expect((await run('shares')).stderr).toContain(`${slug} has scores, but no counted run.`);
    expect(await run('shares --json')).toMatchObject({ stdout: '{\n  "shares": []\n}\n' });
    expect((await run('sources --csv')).stdout).toMatch(/^site,url,.*,last_crawled_at\n$/);
  });

  test('overheard shares and sources name the days with runs if a period has none', async () => {
    const { run } = await filled(open);
    const { stderr } = await run('shares --from 2026-01-01 --to 2026-01-31');
    expect(stderr).toMatch(/has counted runs from 2026-09-\d\d to 2026-11-20\./);
  });
});
