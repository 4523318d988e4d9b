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
    const isGone = 'wait $! && ! curl -s http://127.0.0.1:8484/healthz && echo the server ended';
    const { code, output } = await runShell([...blocks, isGone].join('\n'));
    expect(output).toContain('Imported 19 new runs');
    for (const line of explained()) expect(output).toContain(line);
    expect(output).toMatch(/Opened [1-9]\d* actions?/);
    expect(output).toMatch(/"recommendation":"Get cited more often for .*"status":"open"/);
    expect(output).toContain('the server ended');
    expect(code).toBe(0);
  },
);

/** The lines that the README shows of a command's output. */
function explained(): string[] {
  const [, block = ''] = /^```\n( {2}share.*?)^```$/ms.exec(readme) ?? [];
  const lines = block.split('\n').filter((line) => line !== '' && line !== '...');
  expect(lines).toHaveLength(5);
  return lines;
}

test('the README starts no server in the background by npx, which would outlive `kill $!`', () => {
  expect(readme).not.toMatch(/npx overheard serve.*&/);
});

test('the README fits a reader who has little time', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(120);
});
