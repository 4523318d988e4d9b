import type { ShareRow, SourceRow } from '@overheard/contract';
import { expect, test } from 'vitest';
import { importRows, now } from '../../../../test/answers/answers.ts';
import { filled, place } from '../../../../test/answers/reporting.ts';
import { eachStore } from '../../../../test/stores/stores.ts';

/** 20 answers to each of 12 prompts: to the first, Globex alone; Acme and Globex to the others. */
function planted(): object[] {
  return Array.from({ length: 240 }, (_, index) => ({
    prompt: `Which tool suits team ${index % 12}?`,
    engine: 'chatgpt',
    run_at: new Date(now - index * 3_600_000).toISOString(),
    answer: index % 12 === 0 ? 'Globex.' : 'Acme and Globex.',
    sources: index % 12 === 0 ? [{ url: 'https://wiki.example/a' }] : [],
  }));
}

/** Two prompts that cited Acme always in the time before, and never now. */
function declining(): object[] {
  return Array.from({ length: 80 }, (_, index) => ({
    prompt: `Which service suits team ${index % 2}?`,
    engine: 'chatgpt',
    run_at: new Date(now - (index < 40 ? 1 : 30) * 86_400_000 - index * 60_000).toISOString(),
    answer: index < 40 ? 'None.' : 'Acme.',
    sources: [{ url: 'https://forum.example/' }],
  }));
}

eachStore('overheard report', (open) => {
  test('a published report is found by its id', async () => {
    const { run } = await filled(open);
    const { id } = JSON.parse((await run('report publish --month 2026-10 --json')).stdout);
    expect((await run(`report published ${id}`)).stdout).toContain('2026-10-01 to 2026-10-31');
  });

  test('overheard report has the figures of the other reports: prompts that moved, gaps first, refused first', async () => {
    const { run, store, workspaceId } = await filled(open);
    await importRows(store, workspaceId, [...planted(), ...declining()]);
    const json = async (line: string) => JSON.parse((await run(`${line} --json`)).stdout);
    const report = await json('report');
    const brand = ({ subject_type: type }: ShareRow): boolean => type === 'brand';
    expect(report.from).toBe('2026-10-24');
    expect(report.shares.subjects).toEqual((await json('shares --surface app')).shares);
    expect(report.shares.beside).toEqual((await json('shares --surface api')).shares.find(brand));
    expect(report.shares.engines).toEqual((await json('shares --by engine')).shares.filter(brand));
    const prompts: ShareRow[] = (await json('shares --by prompt --surface app')).shares.filter(
      brand,
    );
    const moved = prompts.filter(({ rate_verdict: verdict }) => /up|down/.test(verdict));
    const ids = (rows: readonly ShareRow[]): Set<unknown> =>
      new Set(rows.map((row) => row.prompt_id));
    expect(ids(report.prompts.moved)).toEqual(ids(moved));
    expect(moved.length).toBeGreaterThan(0);
    const gaps = report.sources.map((row: SourceRow) => row.gap_runs);
    expect(gaps).toEqual(gaps.toSorted((left: number, right: number) => right - left));
    expect(gaps.length).toBeGreaterThan(1);
    expect(new Set(report.sources.map((row: SourceRow) => row.owner))).toEqual(new Set(['other']));
    const { stdout } = await run('report');
    expect(stdout).toMatch(
      /AI crawlers, most refused first\nBOT.*\nGPTBot +2 +2 unverified +1 ok, 1 refused/,
    );
  });

  test('overheard report lists the prompts on which a competitor leads beyond chance, and no others', async () => {
    const { store, workspaceId, run } = await place(open);
    await importRows(store, workspaceId, planted());
    const { stdout } = await run('report');
    expect(stdout).toContain('Prompts lost to a competitor beyond chance: 1\n');
    expect(stdout).toMatch(
      /^Which tool suits team 0\? +0 % of 20 answers \(0 to 16\) +Globex: 100 % of 20 answers \(84 to 100\)$/m,
    );
    expect(stdout).toMatch(/^wiki\.example +reference +8 % of 240 answers +0 +20 +20$/m);
    expect(stdout).toContain('Prompts that moved: 0 of 0 prompts that can be compared');
  });

  test('overheard report prints with --csv the figures of subjects, engines and prompts', async () => {
    const { run } = await filled(open);
    const [heading = '', ...lines] = (await run('report --csv')).stdout.trim().split('\n');
    expect(heading).toMatch(/^section,subject_id,.*,tag,search_unknown$/);
    const sections = Map.groupBy(lines, (line) => line.replace(/,.*/, ''));
    expect([...sections.keys()]).toEqual(['subjects', 'engines', 'prompts']);
    expect(sections.get('subjects')).toHaveLength(3);
  });
});
