import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { endpoints } from '@overheard/contract';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { argumentsOf } from '../packages/tools/src/call/arguments.ts';
import { tools } from '../packages/tools/src/tools/all-tools.ts';
import { createProgram } from '../packages/server/src/cli/run-cli.ts';
import {
  isReceiverHost,
  receiverHosts,
  setUpSteps,
} from '../packages/server/src/access/receiver-hosts.ts';
import { bots, meansOf } from '../packages/server/src/crawlers/bots/catalogue.ts';
import { formatTitles } from '../packages/server/src/crawlers/formats/file-formats.ts';
import referrers from '../packages/server/src/crawlers/referrals/referrers.json' with { type: 'json' };
import { reasons } from '../packages/server/src/crawlers/verify/verdict.ts';
import { flagsOf, settings, variableOf } from '../packages/server/src/config.ts';
import type { OptionSpec } from '../packages/server/src/config.ts';
import { allows } from '../packages/server/src/people/roles.ts';
import { addressUses } from '../packages/server/src/web/pages/keys/key-uses.ts';
import { keyGroups } from '../packages/server/src/web/parts/workspace-page.ts';
import { routes } from '../packages/server/src/web/routes.ts';
import { repository } from './source-files.ts';

const typeSchema = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.string()).optional(),
});

const fieldSchema = typeSchema.extend({
  anyOf: z.array(typeSchema).optional(),
  description: z.string().optional(),
});

const referrerWords = Object.fromEntries(
  Object.entries(referrers).map(([engine, words]) => [engine, words.replaceAll(' ', ', ')]),
);

/** Pages whose lists are made from the code: the part between the markers of each list. */
const pages = [
  { page: 'docs/api.md', lists: { endpoints: endpoints.map(endpointSection).join('\n') } },
  {
    page: 'docs/configuration.md',
    lists: { settings: Object.entries(settings).map(settingItem).join('\n') },
  },
  { page: 'docs/commands.md', lists: { commands: await commandSections() } },
  { page: 'docs/assistants.md', lists: { hosts: hostSections(), tools: toolArguments() } },
  { page: 'packages/mcp/README.md', lists: { tools: toolTitles() } },
  { page: 'docs/web.md', lists: { forms: formTable(), keys: keyTable() } },
  {
    page: 'docs/crawlers.md',
    lists: {
      referrers: items(referrerWords),
      reasons: items(reasons),
      formats: items(formatTitles),
      receivers: receiverSections(),
      bots: botTable(),
    },
  },
];

// `npx vitest run test/docs-lists.test.ts --update=all` writes them again.
test.each(pages)('$page lists what the code has, and nothing else', async ({ page, lists }) => {
  const path = join(repository, page);
  let text = readFileSync(path, 'utf8');
  for (const [name, list] of Object.entries(lists)) text = withList(text, name, list);
  await expect(text, 'Run `npm run docs`').toMatchFileSnapshot(path);
});

function withList(text: string, name: string, list: string): string {
  const begin = `<!-- ${name} -->`;
  const end = `<!-- /${name} -->`;
  expect(text).toContain(begin);
  expect(text).toContain(end);
  const before = text.slice(0, text.indexOf(begin) + begin.length);
  return `${before}\n\n${list.trim()}\n\n${text.slice(text.indexOf(end))}`;
}

function items(words: Readonly<Record<string, string>>): string {
  return Object.entries(words)
    .map(([name, text]) => `- \`${name}\`: ${text}`)
    .join('\n');
}

/** How each host is set up to send its lines. */
function receiverSections(): string {
  const to = { address: 'https://overheard.example.com/ingest/TOKEN', secret: 'SECRET' };
  return Object.entries(receiverHosts)
    .map(([host, title]) => {
      const steps = isReceiverHost(host) ? setUpSteps(host, to) : [];
      const parts = steps.map(({ words, text }) =>
        text === undefined ? words : `${words}\n\n\`\`\`text\n${text}\n\`\`\``,
      );
      return `### ${title}\n\n${parts.join('\n\n')}\n`;
    })
    .join('\n');
}

/** Who may send which form. */
function formTable(): string {
  const columns = ['viewer', 'editor', 'admin', 'operator'] as const;
  const forms = routes.filter(({ does }) => does !== undefined);
  const rows = forms.map(({ does = '', role }) => [
    does,
    ...columns.map((column) => (allows(column, role) ? 'yes' : '')),
  ]);
  return table([['form', ...columns], ...rows]);
}

function keyTable(): string {
  const rows = keyGroups.map(({ keys, does }) => {
    const names = keys.map((key) => `\`${key}\``);
    return [names.join(keys[0] === 'Ctrl' ? ' ' : ', '), does];
  });
  return table([['key', 'does'], ...rows]);
}

/** What a host needs to use the tools at the server's address. */
function hostSections(): string {
  const uses = addressUses({ key: 'overheard_...', baseUrl: 'https://overheard.example.com' });
  return uses
    .map(({ title, where, text }) => `- **${title}**: ${where}\n\n${codeBlock(text)}`)
    .join('\n');
}

function codeBlock(text: string): string {
  const lines = ['```text', ...text.split('\n'), '```'];
  return `${lines.map((line) => `  ${line}`).join('\n')}\n`;
}

function toolArguments(): string {
  const rows = tools.map((tool) => [
    `\`${tool.name}\``,
    `\`${tool.endpoint.path}\``,
    argumentsOf(tool)
      .map(({ name }) => `\`${name}\``)
      .join(', '),
  ]);
  return table([['tool', 'endpoint', 'arguments'], ...rows]);
}

function toolTitles(): string {
  return table([
    ['tool', 'what it returns'],
    ...tools.map(({ name, title }) => [`\`${name}\``, title]),
  ]);
}

function botTable(): string {
  const rows = bots.map((bot) => [
    bot.docs === null ? `\`${bot.token}\`` : `[\`${bot.token}\`](${bot.docs})`,
    bot.company,
    bot.category,
    meansOf(bot).replaceAll('*', '\\*'),
    bot.checked ?? (bot.docs === null ? 'no document of the operator' : ''),
  ]);
  const headings = ['token', 'operator', 'category', 'verified by', 'checked'];
  return table([headings, ...rows]);
}

function table(cells: ReadonlyArray<readonly string[]>): string {
  const headings = cells[0] ?? [];
  const widths = headings.map((_, column) =>
    Math.max(...cells.map((row) => (row[column] ?? '').length)),
  );
  const lines = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  return [lines[0] ?? [], rule, ...lines.slice(1)]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

function endpointSection({
  path,
  summary,
  description,
  query,
  row,
  array,
  isObject,
}: Endpoint): string {
  const parameters = fields(query);
  return [
    `### GET ${path}`,
    '',
    `${summary}. ${description}`,
    '',
    parameters.length === 0 ? 'It takes no parameters.' : 'Parameters:',
    '',
    ...(parameters.length === 0 ? [] : [...parameters, '']),
    isObject
      ? `Returns \`{"${array}":{...}}\`, with these fields in this order:`
      : `Returns \`{"${array}":[...]}\`, each row with these fields in this order:`,
    '',
    ...fields(row),
    '',
  ].join('\n');
}

type Endpoint = (typeof endpoints)[number];

function fields(schema: z.ZodObject): string[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });
  return Object.entries(properties).map(([name, field]) => {
    const { anyOf, description = '', ...own } = fieldSchema.parse(field);
    return `- \`${name}\` (${(anyOf ?? [own]).map(typeWords).join(' or ')}): ${description}`;
  });
}

function typeWords({ type = [], enum: values }: z.infer<typeof typeSchema>): string {
  return values?.map((value) => `\`${value}\``).join(', ') ?? [type].flat().join(' or ');
}

function settingItem([name, spec]: [string, OptionSpec<unknown> & { isVariableOnly?: boolean }]) {
  const { summary, choices, default: initial } = spec;
  const initially =
    initial === undefined ? '' : `, default \`${JSON.stringify(initial).replaceAll('"', '')}\``;
  const words = choices === undefined ? summary : `${summary}: ${choices.join(', ')}`;
  const flags = spec.isVariableOnly === true ? '' : `\`${flagsOf(name, spec)}\`, `;
  return `- ${flags}\`${variableOf(name)}\`${initially}: ${words}`;
}

async function commandSections(): Promise<string> {
  const program = await createProgram({
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    isTerminal: false,
    asTyped: (words) => words,
    clock: () => 0,
    fetch: globalThis.fetch,
    signal: new AbortController().signal,
  });
  return program.commands.flatMap((command) => commandSection(command, 'overheard')).join('\n');
}

function commandSection(command: Command, parent: string): string[] {
  const name = `${parent} ${command.name()}`;
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 100 });
  command.outputHelp();
  return [
    `## ${name}\n\n\`\`\`text\n${help.trim()}\n\`\`\`\n`,
    ...command.commands.flatMap((child) => commandSection(child, name)),
  ];
}
