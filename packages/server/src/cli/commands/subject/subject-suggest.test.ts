import { expect, test } from 'vitest';
import { z } from 'zod';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const suggested = z.object({
  answers: z.number(),
  names: z.array(
    z.object({
      name: z.string(),
      site: z.string().nullable(),
      answers: z.number(),
      example: z.object({ run_id: z.string(), sentence: z.string().nullable() }),
    }),
  ),
  sites: z.array(z.object({ name: z.null(), site: z.string(), answers: z.number() })),
});

const english = [
  'For a small agency, **Globex** and **Hooli** come up most often. In March 2026, Hooli raised its prices in Germany.\n\n1. **Hooli Pro** - quick to set up. Works with Bluetooth and an API.\n2. **Acme Cloud** - made for agencies.\n3. **Umbra** - strong reports.',
  'It depends. Hooli is the usual choice for small teams; Umbra pays off later.\n\n## Pros\n- Price: low\n- Support: good\n\n## Key Features To Look For\n- Reports\n- An API over Bluetooth',
  "I would shortlist Hooli and Umbra. However, Globex has more. Hooli's free tier is small.\n\n**Pros:** cheap. **Cons:** the reports are thin.\n\nOn Monday, English support is there. Bluetooth works.",
  'Umbra: good support. Globex Pulse and Acme Pulse are add-ons. **Verdict:** start with Hooli. See [Hooli](https://www.hooli.com/pricing) or [a review](https://reviews.example/crm).',
  'Start with Globex Pulse. Umbra and HOOLI follow. See [a review](https://reviews.example/other) of Acme Pulse and Globex Pulse.',
  'Read [a test](https://reviews.example/third), or [this](https://blog.globex.com/x). Umbra is fine.',
];
const german = [
  'Für kleine Agenturen eignen sich mehrere Anbieter:\n\n1. **Hooli** – die beste Wahl für kleine Teams. Der Preis ist niedrig.\n2. **Zentrale GmbH** – ein guter Support.\n3. **Preis**: ab 20 Euro im Monat.',
  'Die Einrichtung ist einfach. **Vorteile:** niedrige Kosten, eine gute Verwaltung. **Hooli** bietet eine Schnittstelle. Im März kommt eine neue Version aus Österreich.',
  '- **Hooli**: Die Einrichtung ist schnell, die Verwaltung auch.\n- **Übersicht**: Berichte und Kosten im Blick.\n- **Einrichtung**: Montag bis Freitag.',
  '**Fazit:** Hooli ist für kleine Teams die beste Wahl. Die Kosten, der Preis und die Verwaltung stimmen. Die Berichte sind gut, auch auf Deutsch.',
];

eachDatabase('overheard subject suggest', (create) => {
  async function suggest(answers: readonly object[], ...args: string[]) {
    const url = await create();
    const run = (words: readonly string[], stdin = '') =>
      runCommand([...words, '--database', url], { stdin });
    const brand = ['--brand', 'Acme', '--alias', 'Acme Cloud', '--domain', 'acme.com'];
    await run(['workspace', 'create', 'w', '--name', 'W', ...brand]);
    await run(['subject', 'add', 'Globex', '--workspace', 'w', '--domain', 'globex.com']);
    const imported = await run(
      ['answers', 'import', '-', '--workspace', 'w'],
      JSON.stringify(answers),
    );
    expect(imported.stderr).toContain('Imported');
    const read = async (...words: string[]) =>
      run(['subject', 'suggest', '--workspace', 'w', ...words]);
    const { code, stdout } = await read('--json', ...args);
    expect(code).toBe(0);
    const dismiss = (...words: string[]) =>
      run(['subject', 'dismiss', ...words, '--workspace', 'w']);
    const suggestAgain = async () => suggested.parse(JSON.parse((await read('--json')).stdout));
    return { read, dismiss, suggestAgain, ...suggested.parse(JSON.parse(stdout)) };
  }

  const rows = (answers: readonly string[], locale = 'en-US') =>
    answers.map((answer, hour) => ({
      prompt: 'Which tool?',
      locale,
      engine: 'chatgpt',
      run_at: `2026-11-18T${String(hour).padStart(2, '0')}:00:00Z`,
      answer,
    }));

  test('overheard subject suggest finds the names that recur, with their site and a sentence, and no tracked name, product, month, country or heading', async () => {
    const { read, answers, names, sites } = await suggest(rows(english));
    expect(answers).toBe(6);
    expect(names.map(({ name, site, answers: count }) => [name, site, count])).toEqual([
      ['Umbra', null, 6],
      ['Hooli', 'hooli.com', 5],
    ]);
    expect(names[0]?.example).toMatchObject({
      run_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sentence:
        'Read [a test](https://reviews.example/third), or [this](https://blog.globex.com/x). Umbra is fine.'.slice(
          -14,
        ),
    });
    expect(sites).toMatchObject([{ site: 'reviews.example', answers: 3 }]);
    const { stdout, stderr } = await read();
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^NAME +SITE +ANSWERS +EXAMPLE$/),
      expect.stringMatching(/^Umbra +- +6 +Umbra is fine\.$/),
      expect.stringMatching(/^Hooli +hooli\.com +5 +/),
    ]);
    expect(stderr).toContain('Read 6 counted answers.');
    expect(JSON.parse((await read('--json', '--limit', '1')).stdout).names).toHaveLength(1);
  });

  test('overheard subject suggest leaves out a dismissed name however it is written, its site too, until that is undone', async () => {
    const link = 'Hooli, see [it](https://www.hooli.com/x).';
    const { read, dismiss, suggestAgain } = await suggest(
      rows([...english, ...['', '!', '?'].map((end) => link + end)]),
    );
    expect((await suggestAgain()).names.map(({ name }) => name)).toEqual(['Hooli', 'Umbra']);
    expect(await dismiss('  hOOLI ')).toMatchObject({
      code: 0,
      stderr: 'hOOLI will not be suggested again.\n',
    });
    expect((await dismiss('Hooli')).stderr).toBe('Hooli was dismissed before.\n');
    const without = await suggestAgain();
    expect(without.names.map(({ name }) => name)).toEqual(['Umbra']);
    // The site that answers link as often is called like the dismissed name.
    expect(without.sites.map(({ site }) => site)).toEqual(['reviews.example']);
    await dismiss('reviews.example');
    expect((await suggestAgain()).sites).toEqual([]);
    expect((await read()).stderr).toContain('Left out, because dismissed: hOOLI, reviews.example.');
    expect((await dismiss('hooli', '--undo')).stderr).toBe('hooli may be suggested again.\n');
    expect((await dismiss('hooli', '--undo')).stderr).toBe('hooli was not dismissed.\n');
    expect((await suggestAgain()).names.map(({ name }) => name)).toEqual(['Hooli', 'Umbra']);
  });

  test('a name that is dismissed leaves its place in the list to the next one', async () => {
    const { dismiss, read } = await suggest(rows(english));
    await dismiss('Umbra');
    const { stdout } = await read('--json', '--limit', '1');
    expect(suggested.parse(JSON.parse(stdout)).names.map(({ name }) => name)).toEqual(['Hooli']);
  });

  test.each(['', ' ', 'a\nb', 'x'.repeat(201)])(
    'text that no name can be is not dismissed: %j',
    async (name) => {
      const { dismiss, read } = await suggest(rows(english));
      expect(await dismiss(name)).toMatchObject({ code: 2 });
      expect(JSON.parse((await read('--json')).stdout).dismissed).toEqual([]);
    },
  );

  test('overheard subject suggest takes no German noun for a name', async () => {
    const { names } = await suggest(rows(german, 'de-DE'));
    expect(names.map(({ name }) => name)).toEqual(['Hooli']);
    const plain = ['Hooli and Umbra.', 'Umbra or Globex.', 'Take Umbra.', 'It is Umbra and Hooli.'];
    const mixed = await suggest([...rows(german, 'de-DE'), ...rows(plain)]);
    expect(mixed.names.map(({ name }) => name)).toEqual(['Hooli', 'Umbra']);
  });

  test('overheard subject suggest leaves out answers to branded prompts, and those that are not answered', async () => {
    const all = rows(english);
    const { answers, names, sites } = await suggest([
      ...all.map((row) => ({ ...row, prompt: 'Is Acme good?' })),
      ...all.map((row) => ({ ...row, outcome: 'refused' })),
    ]);
    expect({ answers, names, sites }).toEqual({ answers: 0, names: [], sites: [] });
  });

  test('overheard subject suggest survives answers that are empty of names, huge or hostile', async () => {
    const long = `${'Hooli '.repeat(20_000)}${'*'.repeat(20_000)}${'A-'.repeat(20_000)}`;
    const { names } = await suggest(
      rows(
        ['', long, `${long} `, `${long}.`, '...', '日本語の答え', '<|im_start|>'].filter(Boolean),
      ),
    );
    expect(names.every(({ name }) => name.length < 100)).toBe(true);
  });
});
