import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import { idOf } from '../../../../test/stores/rows.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const clock = (): number => Date.parse('2026-11-20T12:00:00.000Z');
const row = { prompt: 'Which CRM?', engine: 'chatgpt', run_at: '2026-11-18T06:00:00Z' };
const answers = [
  { ...row, answer: 'Take Globex, then Acme.' },
  { ...row, answer: 'Acme.', engine: 'claude', id: idOf(7) },
];

eachDatabase('answers that come after their detections', (create) => {
  async function aServer() {
    const url = await create();
    const run = (args: readonly string[], stdin = ''): Promise<Outcome> =>
      runCommand([...args, '--workspace', 'acme', '--database', url], { stdin, clock });
    const made = ['workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme'];
    await runCommand([...made, '--database', url], { clock });
    await run(['subject', 'add', 'Globex']);
    return {
      importAnswers: (rows: readonly object[]) =>
        run(['answers', 'import', '-'], JSON.stringify(rows)),
      importRows: (kind: string, text: string) => run(['import', kind, '-'], text),
      exported: async (kind: string) => (await run(['export', kind])).stdout,
    };
  }

  /** A server that got what another exported, with its own subjects. */
  async function moved() {
    const [before, after] = [await aServer(), await aServer()];
    await before.importAnswers(answers);
    for (const kind of ['prompts', 'detections']) {
      const text = await before.exported(kind);
      expect(await after.importRows(kind, text)).toMatchObject({ code: 0 });
    }
    return { before, after };
  }

  test(
    'raw answers take up the runs that were moved without them',
    { tags: ['long'] },
    async () => {
      const { before, after } = await moved();
      const imported = await after.importAnswers(answers);
      expect(imported).toMatchObject({ code: 0 });
      expect(imported.stderr).toContain('2 of them had been imported with only their detections');
      const plain = (text: string) => text.replaceAll(/"(?:subject_)?id":"[^"]*"/g, '');
      expect(plain(await after.exported('detections'))).toBe(
        plain(await before.exported('detections')),
      );
      expect(await after.exported('scores')).toBe(await before.exported('scores'));
      expect((await after.importAnswers(answers)).stderr).toContain('2 were there already');
    },
  );

  test('an id with another prompt, engine or run_at is refused, and nothing is written', async () => {
    const { after } = await moved();
    const untouched = await after.exported('detections');
    for (const [field, value] of [
      ['engine', 'gemini'],
      ['prompt', 'Another?'],
      ['run_at', '2026-11-18T07:00:00Z'],
    ] as const) {
      const refused = await after.importAnswers([{ ...answers[1], [field]: value }]);
      const named = field === 'prompt' ? 'prompt_id' : field;
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`"${named}"`) });
    }
    expect(await after.exported('detections')).toBe(untouched);
  });

  test('an answer without an id that may be that of such a run is refused with its id', async () => {
    const { after } = await moved();
    const nameless = { ...answers[1], id: undefined };
    const refused = await after.importAnswers([nameless]);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain(`expected the id of the run that this answers: ${idOf(7)}`);
    const apart = await after.importAnswers([{ ...nameless, id: idOf(8) }]);
    expect(apart).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Imported 1 new run.'),
    });
  });

  test('another answer of the same moment is taken beside the one that has the id', async () => {
    const { after } = await moved();
    const another = { ...answers[1], id: undefined, answer: 'Globex.' };
    const imported = await after.importAnswers([another, { ...answers[1] }]);
    expect(imported).toMatchObject({ code: 0 });
    expect(imported.stderr).toContain('Imported 2 new runs.');
    expect(imported.stderr).toContain('1 of them had been imported');
  });
});
