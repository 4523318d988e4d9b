import { expect, test } from 'vitest';
import { day, prepareActions, runsOf } from '../../../../test/answers/action-commands.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
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
    'an action that has another status than --from names is not moved',
    { tags: ['once'] },
    async () => {
      const { actions, importAnswers, listed } = await prepareActions(create);
      await importAnswers(
        runsOf('One?', 1, ['Globex.', 'Globex.', 'Globex.', 'Globex.', 'Globex.']),
      );
      await actions('derive');
      const id = (await listed())[0]?.id ?? '';
      await actions('set', id, '--status', 'done', '--from', 'open');
      expect(await actions('set', id, '--status', 'dismissed', '--from', 'open')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('it is done now, no longer open'),
      });
      // Moving an action to the status that it has changes nothing and exits with 0.
      expect(await actions('set', id, '--status', 'done', '--from', 'open')).toMatchObject({
        code: 0,
      });
      const { stdout } = await actions('explain', id, '--json');
      expect(JSON.parse(stdout).changes).toEqual([
        { status: 'done', before: 'open', changed_at: day(0, 12), changed_by: null },
      ]);
    },
  );

  test(
    'any status may follow any other, and each change is kept with its time',
    { tags: ['once'] },
    async () => {
      const { actions, importAnswers, listed, passDays } = await prepareActions(create);
      await importAnswers(
        runsOf('One?', 1, ['Globex.', 'Globex.', 'Globex.', 'Globex.', 'Globex.']),
      );
      await actions('derive');
      const id = (await listed())[0]?.id ?? '';
      const set = (status: string): Promise<Outcome> => actions('set', id, '--status', status);
      expect((await set('in_progress')).stderr).toContain('was open, is in_progress');
      expect((await set('in_progress')).stderr).toContain('is in_progress already');
      passDays(1);
      expect(await set('done')).toMatchObject({ code: 0 });
      expect(await set('in_progress')).toMatchObject({ code: 0 });
      expect(await set('dismissed')).toMatchObject({ code: 0 });
      expect(await set('done')).toMatchObject({ code: 0 });
      expect(await set('open')).toMatchObject({ code: 0 });
      expect(await set('closed')).toMatchObject({ code: 2 });
      const { stdout } = await actions('explain', id, '--json');
      expect(JSON.parse(stdout)).toMatchObject({
        action: { status: 'open' },
        changes: [
          { status: 'in_progress', changed_at: day(0, 12) },
          { status: 'done', changed_at: day(-1, 12) },
          { status: 'in_progress', changed_at: day(-1, 12) },
          { status: 'dismissed', changed_at: day(-1, 12) },
          { status: 'done', changed_at: day(-1, 12) },
          { status: 'open', changed_at: day(-1, 12) },
        ],
      });
      expect(await actions('set', 'nothing', '--status', 'open')).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /There is no action "nothing".*`overheard actions list .*--workspace acme`/,
        ),
      });
    },
  );

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
