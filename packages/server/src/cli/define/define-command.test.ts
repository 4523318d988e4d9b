import { expect, expectTypeOf, test } from 'vitest';
import { PassThrough } from 'node:stream';
import type { Io } from '../terminal/io.ts';
import { defineCommand, word, words } from './define-command.ts';
import { choice, flag, list, number, requiredText, text } from './options.ts';

function io(): Io & { readonly stdout: PassThrough; readonly stderr: PassThrough } {
  return {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    isTerminal: false,
    asTyped: (said) => said,
    clock: () => 0,
    fetch: globalThis.fetch,
    signal: new AbortController().signal,
  };
}

const shape = { name: 'try', summary: 'try it', description: 'Tries it.', examples: [] };

test('a command gets the values that its definition names, with their types', async () => {
  const given: unknown[] = [];
  const make = defineCommand({
    ...shape,
    arguments: { slug: word('one'), fileName: words('more') },
    options: {
      dryRun: flag('a flag'),
      noDns: flag('a flag that switches off'),
      title: text('<text>', 'a text'),
      brand: requiredText('<name>', 'a text that must be given'),
      kind: choice('<kind>', ['a', 'b'], 'one of two'),
      alias: list('<text>', 'each behind its own flag'),
      id: list('<id...>', 'several behind one flag'),
      limit: number('a number', { min: 1, max: 9, initial: 5 }),
    },
    run: (_, values) => {
      expectTypeOf(values).toEqualTypeOf<
        { readonly slug: string; readonly fileName: readonly string[] } & {
          readonly dryRun: boolean;
          readonly noDns: boolean;
          readonly title: string | undefined;
          readonly brand: string;
          readonly kind: 'a' | 'b' | undefined;
          readonly alias: readonly string[];
          readonly id: readonly string[];
          readonly limit: number;
        }
      >();
      given.push({ ...values });
    },
  });
  const run = (...args: string[]) => make(io()).parseAsync(args, { from: 'user' });
  await run('acme', 'x', 'y', '--brand', 'Acme');
  await run(
    'acme',
    'x',
    '--brand=A',
    '--dry-run',
    '--no-dns',
    '--title',
    't',
    '--kind',
    'b',
    '--alias',
    'p',
    '--alias',
    'q',
    '--id',
    'r',
    's',
    '--limit',
    '9',
  );
  const absent = { dryRun: false, noDns: false, alias: [], id: [], limit: 5 };
  expect(given).toEqual([
    expect.objectContaining({ slug: 'acme', fileName: ['x', 'y'], brand: 'Acme', ...absent }),
    expect.objectContaining({
      fileName: ['x'],
      brand: 'A',
      dryRun: true,
      noDns: true,
      title: 't',
      kind: 'b',
      alias: ['p', 'q'],
      id: ['r', 's'],
      limit: 9,
    }),
  ]);
});

test('--json prints keys in snake case in place of the text, and leaves the words', async () => {
  const make = defineCommand({
    ...shape,
    json: '{has_changed, rows_new:[{run_id}]}',
    run: () => ({
      json: { hasChanged: true, rowsNew: [{ run_id: 1, GPTBot: 'aB' }] },
      text: 'for a person',
      words: ['kept', false, 'one\nline'],
    }),
  });
  const [machine, person] = [io(), io()];
  await make(machine).parseAsync(['--json'], { from: 'user' });
  await make(person).parseAsync([], { from: 'user' });
  expect(JSON.parse(String(machine.stdout.read()))).toEqual({
    has_changed: true,
    rows_new: [{ run_id: 1, GPTBot: 'aB' }],
  });
  expect(String(person.stdout.read())).toBe('for a person\n');
  expect(String(machine.stderr.read())).toBe('kept\none line\n');
});
