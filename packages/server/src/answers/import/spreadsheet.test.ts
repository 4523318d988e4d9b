import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { aWorkspace, now } from '../../../test/answers/answers.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { importAnswers } from './import-answers.ts';

eachStore({ title: 'answers of a spreadsheet', onBoth: false }, (open) => {
  test('answers of a spreadsheet are read with semicolons, a declared separator and names in capitals', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const text =
      'sep=;\r\nPrompt;Engine;Run_At;Answer;\r\nBest?;chatgpt;2026-11-19T06:00:00Z;Acme;\r\n';
    const source = {
      name: 'answers.csv',
      stream: Readable.from([Buffer.from(text)]),
      bytesTotal: undefined,
    };
    const summary = await importAnswers(store, { workspaceId, source, clock: () => now });
    expect(summary.runs.new).toBe(1);
  });
});
