import { describe, expect, test } from 'vitest';
import { readText } from '../../test/answers/reading.ts';

const fields = ['text', 'locale'];

describe('CSV', () => {
  test.each([',', ';', '\t'])('separated by %j is recognised by its header', async (separator) => {
    const content = `text${separator}locale\n"a,b;c\td"${separator}en-US\n`;
    const rows = await readText(content, { fields: ['text', 'locale'] });
    expect(rows[0]?.value).toEqual({ text: 'a,b;c\td', locale: 'en-US' });
  });
  test('reading CSV leaves out empty cells and keeps spaces', async () => {
    expect((await readText('a,b\n, x \n'))[0]?.value).toEqual({ b: ' x ' });
  });
});

describe('a spreadsheet of whatever country', () => {
  const files = {
    'a line that declares the separator': 'sep=;\r\ntext;locale\r\nA, b;en-US\r\n',
    'a declared tab, in quotes': '"sep=\t"\ntext\tlocale\nA, b\ten-US\n',
    'names in capitals, with spaces around': ' Text ; LOCALE\nA, b;en-US\n',
    'a separator at the end of each line': 'text;locale;\nA, b;en-US;\n',
    'rows of blank cells before the header': '\n ;;\n;;\ntext;locale\nA, b;en-US\n',
  };
  test.each(Object.entries(files))('CSV is read: %s', async (_what, content) => {
    for (const chunkBytes of [1, 64]) {
      const rows = await readText(content, { fields, chunkBytes });
      expect(rows.map(({ value }) => value)).toEqual([{ text: 'A, b', locale: 'en-US' }]);
    }
  });

  test('CSV keeps the lines that an editor shows, behind a declaration too', async () => {
    const rows = await readText('sep=;\r\n\r\ntext;locale\r\na;b\r\nc;d', { fields });
    expect(rows.map(({ number, line }) => [number, line])).toEqual([
      [1, 4],
      [2, 5],
    ]);
  });

  test.each([
    [',', false],
    [';', true],
    ['\t', true],
  ])('CSV may have decimal commas where none separates: %j', async (separator, hasDecimalComma) => {
    const [row] = await readText(`text${separator}locale\na${separator}b\n`, { fields });
    expect(row).toMatchObject({ hasDecimalComma });
  });

  const refusals = {
    'another declared separator': [
      '\nsep=|\ntext|locale\n',
      'rows:2: expected sep= with a comma, a semicolon or a tab after it, found "sep=|".',
    ],
    'another separator': [
      'text|locale\na|b\n',
      'Columns are separated by commas, semicolons or tabs.',
    ],
    'a column whose name is missing': [
      'text;locale;\na;b;\n\nc;d;e\n',
      'rows:4: expected nothing in column 3, which the header does not name, found "e".',
    ],
    'a separator at the end of rows alone': [
      'text;locale\na;b;\n',
      'rows:2: expected 2 cells as in the header, found 3 (',
    ],
    'one name in two writings': ['text;Text\na;b\n', 'rows:1: field "text": expected one column'],
    'a decimal comma between commas': ['text,locale\na,0,35\n', 'a number has a decimal point'],
  } as const;
  test.each(Object.entries(refusals))(
    'CSV is refused in words: %s',
    async (_what, [content, words]) => {
      await expect(readText(content, { fields })).rejects.toThrow(words);
    },
  );
});
