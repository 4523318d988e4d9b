import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runnableBlocks, runShell } from './run-shell.ts';
import { repository } from './source-files.ts';

const readme = readFileSync(join(repository, 'README.md'), 'utf8');

test(
  'what the README tells a newcomer to type works, from an empty folder to an answer',
  {
    timeout: 120_000,
  },
  async () => {
    const blocks = runnableBlocks(readme);
    expect(blocks.length).toBeGreaterThan(2);
    const { code, output } = await runShell(blocks.join('\n'));
    expect(output).toContain('"status":"open"');
    expect(output).toContain('Publish a comparison with Globex');
    expect(output).not.toContain('"status":"done"');
    expect(code).toBe(0);
  },
);

test('the README fits a reader who has little time', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(120);
});
