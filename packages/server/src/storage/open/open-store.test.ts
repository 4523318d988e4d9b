import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { runCommand } from '../../../test/commands/command-line.ts';

test.each([
  ['', /^No database is named/],
  [`file:${tmpdir()}`, /is a folder/],
  ['postgres://u:pw-secret@127.0.0.1:99999/x', /cannot be read/],
  ['postgres://u:a@pw-secret#b@127.0.0.1/x', /cannot be read/],
  ['postgres://u:a@pw-secret/b@127.0.0.1/x', /cannot be read/],
  ['postgres://u:a@pw-secret?b@127.0.0.1/x', /cannot be read/],
  ['postgres://u@127.0.0.1/pw-secret%ff', /cannot be read/],
])('--database %j is wrong usage: one sentence, and 2', async (database, sentence) => {
  for (const command of [['workspace', 'list'], ['doctor']]) {
    const { code, stdout, stderr } = await runCommand([...command, '--database', database]);
    expect(code, stderr).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).not.toContain('pw-secret');
  }
});
