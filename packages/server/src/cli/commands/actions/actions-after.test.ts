import { expect, test } from 'vitest';
import { now } from '../../../../test/answers/answers.ts';
import { place } from '../../../../test/answers/reporting.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';
import { changeAction } from '../../../answers/actions/stored-actions.ts';
import { listActions } from '../../../storage/queries/list-actions.ts';

/** Answers to two prompts: Globex is cited in all of them. */
const answers = ['Which CRM?', 'Cheapest CRM?']
  .flatMap((prompt) =>
    [1, 2, 3, 4, 5].map((hour) => ({
      prompt,
      engine: 'chatgpt',
      run_at: `2026-11-19T0${hour}:00:00Z`,
      answer: 'Globex, most of all.',
    })),
  )
  .map((row) => `${JSON.stringify(row)}\n`)
  .join('');

async function aPlace(open: Open) {
  const here = await place(open);
  const { store, workspaceId } = here;
  const gaps = async () => {
    const actions = await listActions(store.reader, workspaceId);
    return actions.map(({ kind, status }) => `${kind ?? ''} ${status}`).toSorted();
  };
  return { ...here, gaps };
}

eachStore('gaps after a command', (open) => {
  test('a redetection finds the gaps of a new subject, and a dry run none', async () => {
    const { run, gaps } = await aPlace(open);
    const stdin = answers.replaceAll('Globex', 'Umbrella');
    const dry = await run('answers import - --format ndjson --dry-run', { stdin });
    expect(dry.stderr).not.toContain('gap');
    const first = await run('answers import - --format ndjson', { stdin });
    expect(first.stderr).toContain('No new gap in the last 28 days.');
    expect(await gaps()).toEqual([]);
    expect((await run('subject add Umbrella')).code).toBe(0);
    expect((await run('answers redetect --dry-run')).stderr).not.toContain('gap');
    expect(await gaps()).toEqual([]);
    expect((await run('answers redetect')).stderr).toMatch(
      /Found 2 new gaps: see `overheard actions list --workspace \S+`\./,
    );
    expect(await gaps()).toEqual(['absent open', 'absent open']);
  });

  test('a gap whose status a person has set stays as it is after an import of answers', async () => {
    const { run, gaps, store, workspaceId } = await aPlace(open);
    const first = await run('answers import - --format ndjson', { stdin: answers });
    expect(first.stderr).toContain('Found 2 new gaps');
    const [gap] = await listActions(store.reader, workspaceId);
    const wish = { id: gap?.id ?? '', status: 'dismissed', clock: () => now } as const;
    await changeAction(store, workspaceId, wish);
    const more = answers.replaceAll('T0', 'T1');
    const second = await run('answers import - --format ndjson', { stdin: more });
    expect(second.stderr).toContain('No new gap');
    expect(await gaps()).toEqual(['absent dismissed', 'absent open']);
    const again = await run('answers import - --format ndjson', { stdin: more });
    expect(again.stderr).not.toContain('gap');
  });

  test('an import of rows of the contract finds no gaps', async () => {
    const { run, gaps } = await aPlace(open);
    const hits = [1, 2, 3, 4, 5, 6].map((hour) => ({
      bot_name: 'OAI-SearchBot',
      bot_company: 'OpenAI',
      category: 'search',
      path: '/docs',
      method: 'GET',
      status: 500,
      verification: 'verified',
      hit_at: `2026-11-19T0${hour}:00:00Z`,
    }));
    const stdin = hits.map((hit) => `${JSON.stringify(hit)}\n`).join('');
    expect((await run('import hits - --format ndjson', { stdin })).code).toBe(0);
    expect(await gaps()).toEqual([]);
    expect((await run('actions derive')).stderr).toContain('Opened 1 action;');
  });
});
