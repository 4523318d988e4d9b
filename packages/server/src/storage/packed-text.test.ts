import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { codePoint } from '../../../../test/any-text.ts';
import { cases } from '../../../../test/cases.ts';
import { runCommand } from '../../test/commands/command-line.ts';
import { restoreFirst } from '../../test/stores/first-database.ts';
import { createSqlite } from '../../test/stores/stores.ts';
import { sqlitePath } from './open/database-url.ts';
import { packText, textBytes, unpackText } from './packed-text.ts';

const answer = `Acme leads here — “naïve” 東京 🦊. ${Array.from({ length: 90 }, (_, place) => `Reason ${place * 7919}.`).join(' ')}`;

test('every text is the same after it was packed and unpacked', () => {
  const words = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: codePoint }));
  fc.assert(
    fc.property(words, fc.nat(2000), (word, count) => {
      const text = word
        .repeat(count % 400)
        .slice(0, 20_000)
        .toWellFormed();
      const packed = packText(text);
      expect(typeof packed === 'string' ? packed : unpackText(packed)).toBe(text);
      expect(textBytes(packed)).toBe(Buffer.byteLength(text));
    }),
    { numRuns: cases(200) },
  );
});

describe('answers of an embedded database', () => {
  test('a long answer takes half of its bytes, and is exported and found as it came', async () => {
    const url = await createSqlite(onTestFinished);
    const database = ['--database', url];
    await runCommand([
      'workspace',
      'create',
      'acme',
      '--name',
      'A',
      '--brand',
      'Acme',
      ...database,
    ]);
    const row = { prompt: 'Which?', engine: 'chatgpt', run_at: '2026-11-20T10:00:00.000Z', answer };
    const importing = ['answers', 'import', '-', '--workspace', 'acme', ...database];
    await runCommand(importing, { stdin: JSON.stringify([row]) });
    expect(storedIn(url)).toEqual({ type: 'blob', isHalf: 1 });
    const exported = await runCommand(['answers', 'export', '--workspace', 'acme', ...database]);
    expect(JSON.parse(exported.stdout)).toMatchObject({ answer });
    const again = await runCommand(importing, { stdin: JSON.stringify([row]) });
    expect(again.stderr).toContain('no new run; 1 was there');
  });

  test('the answers of an older database are packed when it is opened', async () => {
    const url = await createSqlite(onTestFinished, { isMigrated: false });
    const quoted = answer.replaceAll("'", "''");
    const data = `
      insert into revisions (workspace_id, revision) values ('w', 'a');
      insert into prompts (workspace_id, id, text, language, locale, active, created_at) values ('w', 'p', 'Which?', 'en', 'en-US', 1, '2026-11-20T00:00:00.000Z');
      insert into runs (workspace_id, id, prompt_id, engine, run_at, outcome) values ('w', 'r', 'p', 'chatgpt', '2026-11-20T00:00:00.000Z', 'answered');
      insert into answers (workspace_id, run_id, asked, answer, sources, sites) values ('w', 'r', 'Which?', '${quoted}', '[]', '[]')`;
    await restoreFirst(url, 'sqlite', { data });
    const exporting = ['answers', 'export', '--workspace', 'acme', '--database', url];
    const exported = await runCommand(exporting);
    expect(JSON.parse(exported.stdout)).toMatchObject({ answer, sources: [] });
    expect(storedIn(url)).toEqual({ type: 'blob', isHalf: 1 });
  });
});

function storedIn(url: string) {
  const database = new DatabaseSync(sqlitePath(url), { readOnly: true });
  const size = Buffer.byteLength(answer);
  const row = database
    .prepare('select typeof(answer) as type, octet_length(answer) * 2 < ? as isHalf from answers')
    .get(size);
  database.close();
  return { ...row };
}
