import { expect, test } from 'vitest';
import { importRows } from '../../../../test/answers/answers.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { removeAnswers } from '../../../answers/remove/remove-answers.ts';
import { redetect } from '../../../answers/redetect/redetect.ts';
import { changePromptTags, giveTag } from '../../../storage/prompt-tags.ts';
import { writeWorkspace } from '../../../storage/write.ts';
import { newId } from '../../../values/uuid.ts';
import { setSubject } from '../../../workspaces/write-subject.ts';
import type { Place } from '../../../../test/browsers/published-reports.ts';
import { clock, october, opened, publish } from '../../../../test/browsers/published-reports.ts';

/** Gives these prompts the tag CRM, and takes all tags from the others. */
function tagPrompts({ store, workspaceId }: Place, prompts: Readonly<Record<string, boolean>>) {
  return writeWorkspace(store, workspaceId, async (transaction) => {
    const rows = await transaction
      .selectFrom('prompts')
      .select(['id', 'text'])
      .where('workspace_id', '=', workspaceId)
      .execute();
    await changePromptTags(transaction, workspaceId, (tags) => {
      for (const { id, text } of rows) {
        if (prompts[text] === true) giveTag(tags, { id, tag: 'CRM', isTopic: false });
        else tags.delete(id);
      }
    });
    return { hasChanged: true };
  });
}

eachStore({ title: 'recounts of published reports', onBoth: true }, (open) => {
  test(
    'a recount says which competitor has other figures though the brand has the same',
    { tags: ['once'] },
    async () => {
      const place = await opened(open);
      const { store, workspaceId, list } = place;
      const day = { engine: 'chatgpt', run_at: '2026-10-30T06:00:00Z' };
      await importRows(store, workspaceId, [
        { ...day, prompt: 'Which shop?', answer: 'Acme and Megacorp.' },
        { ...day, prompt: 'Which bank?', answer: 'Megacorp.' },
      ]);
      const id = await publish(place, await place.as('editor'));
      await setSubject(store, workspaceId, 'Globex', {
        aliases: [{ alias: 'Megacorp', match: 'default' }],
      });
      await redetect(store, { workspaceId });
      expect((await list(`?recount=${id}`)).reports[0].recount.sentences).toEqual([
        'A recount finds the same for the brand: 50 % of 28 answers in apps, 50 % of 10 answers in APIs.',
        'Globex is cited in 28 of 28 answers (share of voice 67 %); published were 26 of 28 answers (share of voice 65 %).',
        'Acme is cited in 14 of 28 answers (share of voice 33 %); published were 14 of 28 answers (share of voice 35 %).',
        'Acme on chatgpt is cited in 14 of 28 answers (share of voice 33 %); published were 14 of 28 answers (share of voice 35 %).',
        '38 answers were judged again.',
        'Globex is found by other aliases or domains now.',
      ]);
    },
  );

  test('the runs of the reasons add up to the difference, with tags, a brand’s new alias and collected answers', async () => {
    const place = await opened(open);
    const { store, workspaceId, list } = place;
    const tagged = (prompts: Readonly<Record<string, boolean>>) => tagPrompts(place, prompts);
    await tagged({ 'Which CRM?': true, 'Which tool is like Hooli?': true });
    const editor = await place.as('editor');
    const form = newId(clock);
    await editor.post(`/w/${place.slug}/reports`, { form, ...october, tag: 'CRM' });
    const [{ id, surfaces, tag }] = (await list()).reports;
    expect([surfaces[0].runs, tag]).toEqual([26, 'CRM']);

    await tagged({ 'Which ERP?': true, 'Which tool is like Hooli?': true, 'Which CRM?': true });
    await setSubject(store, workspaceId, 'Acme', {
      aliases: [{ alias: 'Hooli', match: 'default' }],
    });
    await redetect(store, { workspaceId });
    const late = { prompt: 'Which CRM?', engine: 'chatgpt', answer: 'Acme.' };
    await importRows(store, workspaceId, [{ ...late, run_at: '2026-10-30T06:00:00Z' }]);
    // A collected answer is of no import.
    await store.writer
      .updateTable('runs')
      .set({ import_id: null })
      .where('import_id', '=', 3)
      .where('workspace_id', '=', workspaceId)
      .execute();
    const [{ recount }] = (await list(`?recount=${id}`)).reports;
    expect(recount.reasons).toEqual([
      { reason: 'collected', import_id: null, file: null, runs: 1 },
      { reason: 'counted', import_id: 2, file: 'rows', runs: 10 },
      { reason: 'uncounted', import_id: 2, file: 'rows', runs: -6 },
    ]);
    const sum = (rows: ReadonlyArray<{ runs: number }>) =>
      rows.reduce((total, { runs }) => total + runs, 0);
    expect(sum(recount.surfaces) - sum(surfaces)).toBe(recount.runs_change);
    expect(sum(recount.reasons)).toBe(recount.runs_change);
  });

  test('answers that were removed and answers that are not counted any more are two reasons', async () => {
    const place = await opened(open);
    const { store, workspaceId, list } = place;
    const id = await publish(place, await place.as('editor'));
    const choice = { importId: 2, engine: 'perplexity_api', from: '2026-10-01', to: '2026-10-03' };
    await removeAnswers(store, { workspaceId, choice, clock });
    await setSubject(store, workspaceId, 'Acme', {
      aliases: [{ alias: 'Hooli', match: 'default' }],
    });
    await redetect(store, { workspaceId });
    const [{ recount }] = (await list(`?recount=${id}`)).reports;
    expect(recount.reasons).toEqual([
      { reason: 'removed', import_id: 2, file: 'rows', runs: -3 },
      { reason: 'uncounted', import_id: 2, file: 'rows', runs: -6 },
    ]);
    expect(recount.runs_change).toBe(-9);
  });
});
