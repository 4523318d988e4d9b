import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

eachDatabase({ title: 'overheard database distribute', onBoth: true }, (create, dialect) => {
  test('overheard database distribute says what is missing where there is no Citus, and changes nothing', async () => {
    const outcome = await runCommand(['database', 'distribute', '--database', await create()]);
    const [code, words] =
      dialect === 'sqlite' ? [2, 'Only a PostgreSQL database'] : [1, 'create extension citus'];
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(outcome.stderr).toContain(words);
  });
});
