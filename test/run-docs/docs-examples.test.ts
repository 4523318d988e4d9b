// @module-tag slow
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { fillDemo } from '../../packages/server/src/demo/fill.ts';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { runCommand } from '../../packages/server/test/commands/command-line.ts';
import { engines } from '../../packages/server/src/collect/engines/all-engines.ts';
import { rawFormats } from '../../packages/server/src/collect/raw/raw-formats.ts';
import { compareRatios } from '../../packages/server/src/values/statistics/compare.ts';
import {
  promptInterval,
  wilsonInterval,
} from '../../packages/server/src/values/statistics/estimate.ts';
import { repository } from '../source-files.ts';

/** Pages whose examples are run: the lines behind `$` in `console` blocks, in order. */
const pages = [
  'docs/methodology.md',
  'docs/actions.md',
  'docs/collecting.md',
  'docs/reports.md',
  'docs/messages.md',
];

const now = Date.parse('2026-11-20T12:00:00.000Z');

// `npm run docs` writes what is printed now.
test.each(pages)('%s shows what its commands print', async (page) => {
  const path = join(repository, page);
  const folder = await mkdtemp(join(tmpdir(), 'overheard-docs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  let text = await readFile(path, 'utf8');
  for (const [, name = '', content = ''] of text.matchAll(
    /^```(?:csv|ndjson) (\S+)\n(.*?)^```$/gms,
  )) {
    await writeFile(join(folder, name), content);
  }
  if (text.includes('<!-- demo -->'))
    await cp(await (demo ??= fill()), folder, { recursive: true });
  let lastAction = '';
  let lastRun = '';
  for (const block of text.match(/^```console\n.*?^```$/gms) ?? []) {
    const lines = block.split('\n').filter((line) => line.startsWith('$ '));
    const shown: string[] = [];
    for (const line of lines) {
      // Random ids on the page: replace them by those of this run.
      const command = line
        .replace(/(?<=actions explain )\S+/, lastAction)
        .replace(/(?<=answers show )\S+/, lastRun);
      const printed = await print(command, folder);
      lastRun = /^([0-9a-f]{8}) {2}\d{4}-/m.exec(printed)?.[1] ?? lastRun;
      lastAction = /^([0-9a-f-]{36}) {2}/m.exec(printed)?.[1] ?? lastAction;
      // What a person creates has a random id: leave it out.
      const isMade = /workspace create|subject add/.test(command);
      shown.push(isMade ? command : `${command}\n${printed.trimEnd()}`);
    }
    text = text.replace(block, () => `\`\`\`console\n${shown.join('\n')}\n\`\`\``);
  }
  for (const [name, make] of Object.entries(tables)) {
    text = text.replace(
      new RegExp(`(<!-- ${name} -->).*?(<!-- /${name} -->)`, 's'),
      (_, begin: string, end: string) => `${begin}\n\n${make()}\n\n${end}`,
    );
  }
  await expect(text).toMatchFileSnapshot(path);
});

/** A folder with the workspace of `overheard demo`, made once. */
let demo: Promise<string> | undefined;
afterAll(async () => demo && rm(await demo, { recursive: true }));

async function fill(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-docs-'));
  const clock = (): number => now;
  const store = await openStore(`file:${join(folder, 'example.db')}`, { mayCreate: true, clock });
  await fillDemo(store, { clock, signal: new AbortController().signal });
  await store.close();
  return folder;
}

async function print(line: string, folder: string): Promise<string> {
  const [, ...args] = line
    .slice(2)
    .split(' ')
    .map((word) => (/\.(?:csv|ndjson)$/.test(word) ? join(folder, word) : word));
  const database = `file:${join(folder, 'example.db')}`;
  const outcome = await runCommand([...args, '--database', database], { clock: () => now });
  expect(outcome, line).toMatchObject({ code: 0 });
  // The pages name no database, and neither do their hints.
  return (outcome.stdout + outcome.stderr).replaceAll(` --database ${database}`, '');
}

const tables = {
  intervals: intervalTable,
  changes: changeTable,
  clustered: clusteredTable,
  verdicts: verdictTable,
  'raw-formats': rawFormatTable,
  prices: priceTable,
};

/** Cited runs of 12 prompts of 8 runs each: 24 of 96, evenly or not. */
const evenly = Array.from({ length: 12 }, (_, prompt) => 1 + (prompt % 3));
const unevenly = [8, 7, 5, 2, 1, 1, 0, 0, 0, 0, 0, 0];

function clusteredTable(): string {
  const rows = [evenly, unevenly].map((cited) => {
    const { low, high } = promptInterval(cited.map(ofEight)) ?? { low: 0, high: 0 };
    return [cited.join(' '), `${percent(low)} to ${percent(high)}`];
  });
  const runs = wilsonInterval({ part: 24, whole: 96 }) ?? { low: 0, high: 0 };
  const independent = ['if runs were independent', `${percent(runs.low)} to ${percent(runs.high)}`];
  return table(['cited runs of each prompt', '95 % interval'], [independent, ...rows]);
}

function verdictTable(): string {
  const changes = [
    [evenly, [1, 1, 2, 1, 2, 2, 0, 1, 3, 1, 1, 2]],
    [unevenly, [8, 6, 5, 1, 1, 0, 0, 0, 0, 0, 0, 0]],
    [unevenly, [3, 5, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]],
  ].map(([now_ = [], before = []]) => {
    const pairs = now_.map((cited, prompt) => ({
      before: ofEight(before[prompt] ?? 0),
      after: ofEight(cited),
    }));
    const { change = 0, detectable = 0, verdict } = compareRatios(pairs);
    return [before.join(' '), now_.join(' '), percent(change), percent(detectable), verdict];
  });
  return table(['before', 'now', 'change', 'detectable', 'verdict'], changes);
}

function rawFormatTable(): string {
  const rows = rawFormats.map(({ name, engine, saysEngine = false }) => [
    `\`${name}\``,
    engine ?? (saysEngine ? 'the one that it says' : 'given by `--engine`'),
  ]);
  return table(['format', 'engine'], rows);
}

/** The prices of the engines' usual models, and those that are not in the list of all vendors. */
function priceTable(): string {
  const rows = engines.flatMap(({ slug, prices, defaults }) =>
    prices
      .filter(({ model, source }) => model === defaults.model || !source.includes('genai-prices'))
      .map(({ model, from, input, cached, output, searches, checked, source }) => [
        slug,
        model,
        from ?? '',
        String(input),
        String(cached ?? ''),
        String(output),
        String(searches ?? 'unknown'),
        `[${checked}](${source})`,
      ]),
  );
  return table(['engine', 'model', 'from', 'in', 'cached', 'out', 'searches', 'read on'], rows);
}

function ofEight(part: number): { readonly part: number; readonly whole: number } {
  return { part, whole: 8 };
}

function intervalTable(): string {
  const rows = [5, 10, 30, 100, 400].map((runs) => {
    const { low, high } = wilsonInterval({ part: runs / 5, whole: runs }) ?? { low: 0, high: 0 };
    return [`${runs / 5} of ${runs}`, `${percent(low)} to ${percent(high)}`];
  });
  return table(['cited', '95 % interval'], rows);
}

function changeTable(): string {
  const rows = ([0.25, 0.3, 0.4] as const).map((rate) => [
    `from 20 % to ${rate * 100} %`,
    String(runsNeeded(0.2, rate)),
  ]);
  return table(['change', 'runs on each side'], rows);
}

/** Runs per side that tell two rates apart: Fleiss, Statistical Methods for Rates and Proportions, without correction. */
function runsNeeded(before: number, after: number): number {
  const [confidence, power] = [1.959963984540054, 0.8416212335729143];
  const spread = before * (1 - before) + after * (1 - after);
  return Math.ceil(((confidence + power) ** 2 * spread) / (before - after) ** 2);
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(1)} %`;
}

function table(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(headings), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join(
    '\n',
  );
}
