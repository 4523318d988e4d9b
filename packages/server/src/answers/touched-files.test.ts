import { expect, test } from 'vitest';
import { aWorkspace, importRows } from '../../test/answers/answers.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { touchedFiles } from '../../test/commands/touched-files.ts';

/** An answer that names one subject, and links to another one. */
const row = {
  prompt: 'Which CRM is best?',
  language: 'en',
  locale: 'en-US',
  engine: 'chatgpt',
  model: 'gpt-5',
  answer: 'Acme is good. So is [this](https://www.globex.com/crm).',
  sources: [{ url: 'https://acme.com/crm', title: 'CRM' }],
};

eachStore('the path of an answer', (open, dialect) => {
  // PostgreSQL has a pool and statistics of its own.
  const filesMax = dialect === 'sqlite' ? 55 : 57;

  test(`an import of one answer runs code of at most ${filesMax} source files`, async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, [{ ...row, run_at: '2026-11-20T10:00:00.000Z' }]);

    const touched = await touchedFiles(async () => {
      const rows = [{ ...row, run_at: '2026-11-20T11:00:00.000Z' }];
      const { runs } = await importRows(store, workspaceId, rows);
      expect(runs.new).toBe(1);
    });

    expect(touched).toContain('packages/server/src/answers/import/insert-runs.ts');
    expect(touched.length, touched.join('\n')).toBeLessThanOrEqual(filesMax);
  });
});
