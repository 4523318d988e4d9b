import { expect, test } from 'vitest';
import { recordStatements } from '../../test/stores/statements.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { importText, makeWorkspace, toLines } from '../../test/answers/transferring.ts';
import { scores } from './resources/scores.ts';

const day = (place: number): string => new Date(Date.UTC(2026, 0, 1 + place)).toISOString();

eachStore('statements', (open, dialect) => {
  // Each is kept compiled, on SQLite with the values that it was last given.
  test('an import runs few statements, however many rows are new or changed', async () => {
    const { store } = await open();
    const workspaceId = await makeWorkspace(store, 'acme');
    const { sent } = recordStatements();
    for (let count = 1; count <= 24; count++) {
      const rows = Array.from({ length: count }, (_, place) => ({
        date: day(place).slice(0, 10),
        engine: 'chatgpt',
        citations: count,
        total_runs: 100,
        sov: 0.5,
      }));
      const { rows: counts } = await importText(
        store,
        { workspaceId, resource: scores },
        toLines(rows),
      );
      expect(counts).toEqual({ new: 1, changed: count - 1, unchanged: 0, kept: 0 });
    }
    const texts = new Set(sent().map(({ text }) => text));
    const about = (words: RegExp) => [...texts].filter((text) => words.test(text)).length;
    const sizes = dialect === 'sqlite' ? 1 : 5;
    expect(about(/insert into scores .* do nothing/)).toBe(sizes);
    expect(about(/insert into scores .* do update/)).toBe(sizes);
    expect(about(/from scores .*origin = 'derived'/)).toBe(6);
  });
});
