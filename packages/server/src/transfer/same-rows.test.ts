import { expect, test } from 'vitest';
import { least, setUp, subject } from '../../test/answers/importing.ts';
import { idOf } from '../../test/stores/rows.ts';
import { eachDatabase } from '../../test/stores/stores.ts';

const [one, other] = [idOf(51), idOf(52)];
const detection = { ...least.detections, subject_id: subject };

eachDatabase('rows of a file that are of the same thing', (create) => {
  test.each([
    ['the id behind', [detection, { ...detection, id: one }], 'line 1 has it without an id'],
    ['the id before', [{ ...detection, id: one }, detection], `expected the id "${one}", under`],
  ])(
    'equal rows of a file are refused if only one of them has an id, %s',
    { tags: ['once'] },
    async (_title, rows, words) => {
      const { bring, listed } = await setUp(create);
      const { code, stderr } = await bring('detections', rows);
      expect(code).toBe(1);
      expect(stderr).toContain('standard input:2: field "id": expected ');
      expect(stderr).toContain(words);
      expect(await listed('detections')).toEqual([]);
    },
  );

  test(
    'rows of a file are refused if a third row shows that two are the same',
    { tags: ['once'] },
    async () => {
      const { bring, listed } = await setUp(create);
      const open = { ...least.detections, id: one };
      const { stderr } = await bring('detections', [open, detection, { ...detection, id: one }]);
      expect(stderr).toContain('standard input:3: field "id": expected ');
      expect(await listed('detections')).toEqual([]);
    },
  );

  test('rows of a file may complete each other, as for a score whose id is in one line', async () => {
    for (const order of [1, -1]) {
      const { bring, listed } = await setUp(create);
      const rows = [least.scores, { ...least.scores, id: one }].slice().toSorted(() => order);
      expect((await bring('scores', rows)).stderr).toContain('2 scores read: 1 new');
      expect(await listed('scores')).toMatchObject([{ id: one }]);
      const more = { ...least.scores, date: '2026-11-19' };
      const twice = await bring('scores', [...rows, more, { ...more, id: one }]);
      expect(twice.stderr).toContain(':4: field "id": expected one row for the same id: line ');
    }
  });

  test(
    'equal rows of a file get the id that one of them has, whichever line it is',
    { tags: ['once'] },
    async () => {
      const first = await setUp(create);
      await first.bring('detections', [detection]);
      const [{ id } = {}] = await first.listed('detections');
      for (const rows of [
        [detection, { ...detection, id }],
        [{ ...detection, id }, detection],
      ]) {
        const { bring, listed } = await setUp(create);
        await bring('detections', [{ ...detection, id: other }]);
        const { code, stderr } = await bring('detections', rows);
        expect({ code, stderr }).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('"id"'),
        });
        expect(await listed('detections')).toMatchObject([{ id: other }]);
      }
    },
  );
});

eachDatabase({ title: 'a row without an id', onBoth: false }, (create) => {
  test('a detection without an id changes the stored one of its run and subject, which keeps its id', async () => {
    const { bring, listed } = await setUp(create);
    await bring('detections', [{ ...detection, id: other }]);
    const { stderr } = await bring('detections', [{ ...detection, sentiment: 'positive' }]);
    expect(stderr).toContain('1 changed');
    expect(await listed('detections')).toMatchObject([{ id: other, sentiment: 'positive' }]);
  });
});

eachDatabase('a detection that its id moves to another run', (create) => {
  test(
    'a detection that its id moves to another run says its subject: another row may be of that run and subject',
    { tags: ['once'] },
    async () => {
      const { bring, listed } = await setUp(create);
      const elsewhere = { ...detection, run_id: idOf(60), subject_id: subject };
      await bring('detections', [
        { ...detection, id: one },
        { ...elsewhere, id: other },
      ]);
      const before = await listed('detections');
      const { subject_id: _, ...moved } = { ...elsewhere, id: one };
      expect(await bring('detections', [moved])).toMatchObject({
        code: 1,
        stderr:
          'standard input:1: field "subject_id": expected a value: the workspace has the id with another run and subject.\nNothing was imported.\n',
      });
      expect(await listed('detections')).toEqual(before);
      const whole = await bring('detections', [{ ...moved, subject_id: subject }]);
      expect(whole.stderr).toContain(`the workspace has it under the id "${other}"`);
      const free = await bring('detections', [{ ...moved, subject_id: idOf(61) }]);
      expect(free.stderr).toContain('0 new, 1 changed');
    },
  );
});
