import { expect, test } from 'vitest';
import { least, prompt, run, setUp, subject } from '../../../../test/answers/importing.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

eachDatabase('overheard import detections', (create) => {
  const brand = { ...least.detections, subject_id: subject };

  test('runs come with their detections; a file corrects a stored run but does not forget its prompt', async () => {
    const { bring, listed } = await setUp(create);
    const both = [
      { ...brand, prompt_id: prompt },
      { ...brand, subject_type: 'competitor' },
    ];
    expect((await bring('detections', both)).stderr).toContain(
      'Their runs: 1 new, 0 changed, 0 unchanged.',
    );
    const corrected = await bring('detections', [{ ...brand, engine: 'gemini' }]);
    expect(corrected.stderr).toContain(
      '1 detection read: 0 new, 0 changed, 1 unchanged.\nTheir runs: 0 new, 1 changed',
    );
    expect(await listed('detections')).toMatchObject([
      { subject_type: 'brand', prompt_id: prompt, engine: 'gemini' },
      { subject_type: 'competitor', prompt_id: prompt, engine: 'gemini' },
    ]);
  });

  test('rows of one run that disagree are refused with both lines', async () => {
    const { bring, listed } = await setUp(create);
    const { code, stderr } = await bring('detections', [
      brand,
      { ...brand, subject_type: 'competitor', engine: 'gemini', prompt_id: prompt },
      { ...brand, subject_type: 'competitor', subject_id: prompt, prompt_id: prompt },
      { ...brand, subject_type: 'competitor', subject_id: run, prompt_id: run },
    ]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `standard input:2: field "engine": expected "chatgpt" as in line 1, which is of the same run, found "gemini".\nstandard input:4: field "prompt_id": expected "${prompt}" as in line 1, which is of the same run, found "${run}".\nNothing was imported.\n`,
    );
    expect(await listed('detections')).toEqual([]);
  });

  test('a subject is detected once per run, in the file and in the workspace', async () => {
    const { bring, listed } = await setUp(create);
    const named = { ...brand, id: prompt };
    const twice = await bring('detections', [named, { ...named, id: subject }]);
    expect(twice.stderr).toContain(
      `:2: field "id": expected one row for the same run and subject: line 1 has it under the id "${prompt}"`,
    );
    await bring('detections', [named]);
    const again = await bring('detections', [{ ...named, id: subject }]);
    expect(again.stderr).toContain(
      `:1: field "id": expected one row for the same run and subject: the workspace has it under the id "${prompt}"`,
    );
    // Without an id it is the row that is there.
    const nameless = await bring('detections', [{ ...brand, sentiment: 'positive' }]);
    expect(nameless.stderr).toContain('0 new, 1 changed, 0 unchanged');
    expect(await listed('detections')).toMatchObject([{ id: prompt, sentiment: 'positive' }]);
  });

  test('rows without a subject are told apart by their place in the run', async () => {
    const { bring, listed } = await setUp(create);
    const rows = [
      { ...least.detections, rank: 1 },
      { ...least.detections, rank: 2 },
      { ...least.detections, rank: 2 },
    ];
    expect((await bring('detections', rows)).stderr).toContain('3 new');
    expect((await bring('detections', rows)).stderr).toContain('0 new, 0 changed, 3 unchanged');
    expect((await listed('detections')).map(({ rank }) => rank)).toEqual([1, 2, 2]);
  });

  test('a subject that is no longer cited loses place and rank; a rank without a citation is refused', async () => {
    const { bring, listed } = await setUp(create);
    await bring('detections', [{ ...brand, rank: 1, position: 2 ** 40 }]);
    await bring('detections', [{ ...brand, cited: false }]);
    expect(await listed('detections')).toMatchObject([
      { cited: false, rank: null, position: null },
    ]);
    const refused = await bring('detections', [{ ...brand, cited: false, rank: 1 }]);
    expect(refused.stderr).toContain(
      ':1: field "rank": expected nothing (null) where cited is false, found 1.',
    );
  });
});
