import { expect, test } from 'vitest';
import { now } from '../../../../test/answers/answers.ts';
import { aJudgedWorkspace, judged } from '../../../../test/answers/stances.ts';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { openStore } from '../../../storage/open/open-store.ts';

/** A judged workspace without labels, and its commands. */
async function aCommandLine(url: string) {
  const store = await openStore(url);
  const workspaceId = await aJudgedWorkspace(store, judged);
  await store.close();
  const slug = `w${workspaceId.slice(0, 8)}`;
  return (line: string, stdin = '') =>
    runCommand([...line.split(' '), '--workspace', slug, '--database', url], {
      clock: () => now,
      stdin,
    });
}

eachDatabase('stance check', (create) => {
  test('drawn answers come as CSV without verdicts, and their labels are read back', async () => {
    const run = await aCommandLine(await create());
    const before = JSON.parse((await run('stance check --json')).stdout);
    expect(before).toMatchObject({ judge: 'judge_api', kappa: null, labels: 0, needed: 10 });
    const drawn = await run('stance check --draw');
    const [header, ...lines] = drawn.stdout.trim().split('\n');
    expect(header).toBe('run_id,subject_id,subject,prompt,excerpts,stance');
    expect(lines).toHaveLength(10);
    expect(drawn.stdout).not.toMatch(/advised_against|recommended_for|judge_api/);
    expect(drawn.stderr).toContain('10 answers to label.');
    // The first is left empty, and one is labelled as mixed.
    const filled = lines.map((line, index) => (index === 0 ? line : `${line}plain`));
    const read = await run('stance check --labels -', [header, ...filled].join('\n'));
    expect(read.stderr).toContain('Stored 9 labels.');
    expect(read.stdout).toContain('1 answer to label before figures are shown.');
    expect((await run('stance check --draw')).stdout.trim().split('\n')).toHaveLength(2);
  });

  test('labels of another form or of what is not judged are refused, all of them', async () => {
    const run = await aCommandLine(await create());
    const [header, first = '', second = ''] = (await run('stance check --draw')).stdout.split('\n');
    const bad = await run('stance check --labels -', `${header}\n${first}plain\n${second}great\n`);
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain('stance');
    const foreign = first.replace(/^[^,]*/, '0b8f6f0e-6a0c-5f3e-9a35-5f1b0e8f7c21');
    const gone = await run('stance check --labels -', `${header}\n${second}plain\n${foreign}plain`);
    expect(gone.code).toBe(1);
    expect(gone.stderr).toContain('an answer that --draw prints');
    expect(JSON.parse((await run('stance check --json')).stdout)).toMatchObject({ labels: 0 });
  });

  test('stance list shows quotes of an unchecked judge, and figures of a checked one', async () => {
    const run = await aCommandLine(await create());
    const unchecked = await run('stance list');
    expect(unchecked.stdout).toContain('Nobody has checked the judge yet');
    expect(unchecked.stdout).toContain('Avoid Acme');
    const [header, ...lines] = (await run('stance check --draw')).stdout.trim().split('\n');
    const rows = JSON.parse((await run('stance list --by prompt --json')).stdout).stances;
    expect(rows).toHaveLength(20);
    // Labels as the judge says, found by the quotes of its rows.
    const stanceOf = new Map<string, string>();
    for (const { subject_id: id, quotes } of rows) {
      for (const { run_id: runId, stance } of quotes) stanceOf.set(`${runId},${id}`, stance);
    }
    const labelled = lines.map(
      (line) => line + (stanceOf.get(line.split(',').slice(0, 2).join(',')) ?? ''),
    );
    await run('stance check --labels -', [header, ...labelled].join('\n'));
    const checked = await run('stance list');
    expect(checked.stdout).toMatch(/Acme is recommended in 5 of 9 judged answers that cite it/);
    expect(checked.stdout).toMatch(/Globex +5 of 10, 50 %/);
    const csv = (await run('stance list --by purpose --csv')).stdout;
    expect(csv).toMatch(/^subject_id,subject_type,name,[^\n]*,quotes\n/);
    expect(csv).toContain('SMALL agencies');
  });
});
