import { expect, test } from 'vitest';
import { setUp } from '../../../../test/answers/importing.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

eachDatabase('overheard subject suggest', (create) => {
  test('overheard subject suggest survives answers that are empty of names, huge or hostile', async () => {
    const { command } = await setUp(create);
    const long = `${'Hooli '.repeat(5000)}${'*'.repeat(5000)}${'A-'.repeat(5000)}`;
    const answers = [long, `${long} `, `${long}.`, '...', '日本語の答え', '<|im_start|>'];
    const rows = answers.map((answer, hour) => ({
      prompt: 'Which tool?',
      engine: 'chatgpt',
      run_at: `2026-11-18T0${hour}:00:00Z`,
      answer,
    }));
    await command(['answers', 'import', '-', '--workspace', 'acme'], JSON.stringify(rows));
    const { stdout } = await command(['subject', 'suggest', '--workspace', 'acme', '--json']);
    const { answers: read, names } = JSON.parse(stdout);
    expect(read).toBe(answers.length);
    expect(names.every(({ name }: { name: string }) => name.length < 100)).toBe(true);
  });
});
