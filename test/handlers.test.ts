import { describe, expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';
import { withoutComments } from './source-imports.ts';

describe('pages and endpoints', () => {
  test('catch no failure: a route says what to show for a refusal, one mapper does the rest', () => {
    const found = sourceFiles('packages/server/src/{web/pages,api/endpoints}/**/*.ts');
    expect(found.length).toBeGreaterThan(50);
    expect(found.filter(catchesFailures).map(({ path }) => path)).toEqual([]);
  });

  test.each(['} catch (error) {', '} catch {', '.catch((error: unknown) => {', 'isRefusal(a)'])(
    'a planted catch in a page is reported: %s',
    (text) => {
      expect(catchesFailures({ path: '', text })).toBe(true);
    },
  );

  test.each(["z.enum(themes).catch('system')", 'void write().catch(() => {})', '} finally {'])(
    'code that catches no refusal passes: %s',
    (text) => {
      expect(catchesFailures({ path: '', text })).toBe(false);
    },
  );
});

function catchesFailures({ text }: SourceFile): boolean {
  return /\} catch\b|\.catch\(\(\w|\bisRefusal\b/.test(withoutComments(text));
}
