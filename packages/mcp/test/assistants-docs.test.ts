import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defaultBaseUrl, settings } from '../src/config.ts';
import { defaultHttpPort, httpPath } from '../src/serve/http.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const page = readFileSync(`${repository}docs/assistants.md`, 'utf8');

/** A command with its environment, however a host writes them down. */
interface Launch {
  readonly title: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const environment = z.record(z.string(), z.string());
const launched = z.strictObject({
  type: z.literal('stdio').optional(),
  command: z.string(),
  args: z.array(z.string()),
  env: environment,
});
/** The files of the hosts, each with nothing in it but what its host knows. */
const hostFile = z.union([
  z
    .strictObject({ mcpServers: z.strictObject({ overheard: launched }) })
    .transform(({ mcpServers }) => mcpServers.overheard),
  z
    .strictObject({
      inputs: z.array(
        z.strictObject({
          type: z.string(),
          id: z.string(),
          description: z.string(),
          password: z.literal(true),
        }),
      ),
      servers: z.strictObject({ overheard: launched }),
    })
    .transform(({ servers }) => servers.overheard),
  z
    .strictObject({
      $schema: z.string(),
      mcp: z.strictObject({
        overheard: z.strictObject({
          type: z.literal('local'),
          command: z.tuple([z.string()], z.string()),
          enabled: z.literal(true),
          environment,
        }),
      }),
    })
    .transform(({ mcp: { overheard } }) => {
      const [command, ...args] = overheard.command;
      return { command, args, env: overheard.environment };
    }),
]);

const sections = page.split(/^#{2,3} /m).slice(1);
const launches = sections.flatMap((section): Launch[] => {
  const title = section.split('\n')[0] ?? '';
  const files = [...section.matchAll(/```json\n(?<json>[^`]+)```/g)].map(({ groups }) => {
    const { command, args, env } = hostFile.parse(JSON.parse(groups?.['json'] ?? ''));
    return { title, command: [command, ...args], environment: env };
  });
  const lines = [
    // Its --env takes all words up to the next option, so that the name may not follow it.
    ...section.matchAll(
      /^claude mcp add (?<options>.+) --transport stdio overheard -- (?<command>.+)$/gm,
    ),
  ];
  const added = lines.map(({ groups }) => ({
    title,
    command: (groups?.['command'] ?? '').split(' '),
    environment: Object.fromEntries(
      [...(groups?.['options'] ?? '').matchAll(/--env (\w+)=(\S+)/g)].map(
        (match): [string, string] => [match[1] ?? '', match[2] ?? ''],
      ),
    ),
  }));
  return [...files, ...added];
});

test('there is a configuration for each of six hosts, from a clone, and on Windows', () => {
  expect(new Set(launches.map(({ title }) => title))).toEqual(
    new Set([
      'From a clone',
      'On Windows',
      'Claude Desktop',
      'Claude Code',
      'Cursor',
      'VS Code',
      'Gemini CLI',
      'OpenCode',
    ]),
  );
  expect(launches).toHaveLength(10);
});

test.each(launches)(
  '$title: the command and the variables are those of the program',
  ({ title, command, environment: given }) => {
    expect(Object.keys(given)).toEqual(Object.keys(settings));
    expect(given['OVERHEARD_BASE_URL']).toContain(defaultBaseUrl);
    const windows = command[0] === 'cmd' ? ['cmd', '/c'] : [];
    const source = title === 'From a clone' ? ['--prefix', '/path/to/overheard'] : ['-y'];
    expect(command).toEqual([...windows, 'npx', ...source, 'overheard-mcp']);
  },
);

test('every host can start the program on Windows', () => {
  const titles = launches.filter(({ command }) => command[0] === 'cmd').map(({ title }) => title);
  expect(titles).toEqual(['On Windows', 'Claude Code']);
  const opencode = /`(?<list>\["cmd".+?\])`/.exec(page)?.groups?.['list'];
  expect(JSON.parse(opencode ?? 'null')).toEqual(['cmd', '/c', 'npx', '-y', 'overheard-mcp']);
});

test('the Node that is needed is the same wherever it is said', () => {
  const read = (path: string) => readFileSync(`${repository}packages/mcp/${path}`, 'utf8');
  expect(page).toContain('Node 20.3 or newer');
  expect(read('README.md')).toContain('Node 20.3 or newer');
  expect(read('package.json')).toContain('"node": ">=20.3"');
  expect(read('build/bundle.ts')).toContain("target: 'node20.3'");
  expect(read('bin/overheard-mcp.js')).toContain('needed = [20, 3]');
});

test('the address for hosts that speak HTTP is the one that is served', () => {
  expect(page).toContain(`http://127.0.0.1:${defaultHttpPort}${httpPath}`);
});
