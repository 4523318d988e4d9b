import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const program = `
  await import('${new URL('./serve.ts', import.meta.url).href}');
  process.stdout.write(process.moduleLoadList.join('\\n'));
`;

it('a server has nothing of Node in memory that only clients need', () => {
  const loaded = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });

  expect(loaded).toContain('NativeModule http\n');
  // Its client for the web: 3 MB.
  expect(loaded).not.toContain('undici');
});
