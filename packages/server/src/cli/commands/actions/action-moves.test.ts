import { expect, test } from 'vitest';
import { day, prepareActions, runsOf } from '../../../../test/answers/action-commands.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

eachDatabase({ title: 'overheard actions set', onBoth: true }, (create) => {
  test('an open action becomes done in one step, and its result is measured as after two', async () => {
    const { actions, importAnswers, listed, passDays } = await prepareActions(create);
    await importAnswers(runsOf('One?', 1, ['Globex.', 'Globex.', 'Globex.', 'Globex.', 'Globex.']));
    await actions('derive');
    const id = (await listed())[0]?.id ?? '';
    expect(await actions('set', id, '--status', 'done')).toMatchObject({
      code: 0,
      stderr: `The action ${id} was open, is done.\n`,
    });
    expect((await actions('explain', id)).stdout).toContain(
      `  ${day(0, 12)}  from open to done, by the command line\n`,
    );
    passDays(14);
    await importAnswers(runsOf('One?', -13, ['Acme.', 'Acme.', 'Acme.', 'Acme.', 'Globex.']));
    expect((await actions('derive')).stderr).toContain('Measured the result of 1 action');
    expect(await listed()).toMatchObject([{ status: 'done', sov_baseline: 0, sov_result: 0.8 }]);
  });

  test(
    'the result of a finished action is measured after 14 days and at least 5 runs',
    { tags: ['once'] },
    async () => {
      const { actions, importAnswers, listed, passDays } = await prepareActions(create);
      await importAnswers(
        runsOf('One?', 1, ['Globex.', 'Globex.', 'Globex.', 'Globex.', 'Globex.']),
      );
      await actions('derive');
      const id = (await listed())[0]?.id ?? '';
      await actions('set', id, '--status', 'in_progress');
      await actions('set', id, '--status', 'done');
      passDays(13);
      await importAnswers(runsOf('One?', -12, ['Acme.', 'Acme, Globex.', 'Acme.', 'Globex.']));
      await actions('derive');
      passDays(1);
      await actions('derive');
      expect((await listed())[0]?.sov_result).toBeNull();
      await importAnswers(runsOf('One?', -13, ['Nobody.']));
      expect((await actions('derive')).stderr).toContain('Measured the result of 1 action');
      expect((await listed()).find((action) => action.id === id)).toMatchObject({
        status: 'done',
        sov_baseline: 0,
        sov_result: 0.6,
      });
      await actions('set', id, '--status', 'dismissed');
      expect((await listed())[0]?.sov_result).toBe(0.6);
      await actions('set', id, '--status', 'done');
      expect((await listed())[0]?.sov_result).toBeNull();
    },
  );

  test(
    'a status that an import sets is kept with its time, and its result measured after',
    { tags: ['once'] },
    async () => {
      const { actions, importAnswers, importActions, listed, passDays } =
        await prepareActions(create);
      await importAnswers(
        runsOf('Which tool?', 1, ['Globex.', 'Globex.', 'Globex.', 'Globex.', '']),
      );
      await importAnswers(runsOf('Which tool?', 2, ['Globex.']));
      await actions('derive');
      const [{ id, recommendation, priority } = { id: '', recommendation: '', priority: '' }] =
        await listed();
      const told = { id, recommendation, priority };
      await actions('set', id, '--status', 'in_progress');
      expect(await importActions([{ ...told, status: 'done' }])).toMatchObject({ code: 0 });
      await importActions([{ ...told, status: 'done' }]);
      const explained = await actions('explain', id, '--json');
      expect(JSON.parse(explained.stdout)).toMatchObject({
        changes: [
          { status: 'in_progress', before: 'open', changed_at: day(0, 12) },
          { status: 'done', before: 'in_progress', changed_at: day(0, 12) },
        ],
      });
      passDays(14);
      await importAnswers(
        runsOf('Which tool?', -1, ['Acme.', 'Acme.', 'Acme.', 'Acme.', 'Globex.']),
      );
      expect((await actions('derive')).stderr).toContain('Measured the result of 1 action');
      expect(await listed()).toMatchObject([{ status: 'done', sov_result: 0.8 }]);
    },
  );
});
