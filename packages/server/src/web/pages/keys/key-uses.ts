import { shellWord } from '../../../values/shell-word.ts';

/** One way to use a key, as text to be copied. */
export interface KeyUse {
  readonly id: string;
  readonly title: string;
  readonly where: string;
  readonly text: string;
}

/**
 * Texts that show how to use a key in a shell, a program, and each host of assistants, with the key
 * filled in.
 */
export function keyUses({
  key,
  baseUrl,
  toolServer,
}: {
  key: string;
  baseUrl: string;
  toolServer: { readonly command: string; readonly args: readonly string[] };
}): readonly KeyUse[] {
  const env = { OVERHEARD_API_KEY: key, OVERHEARD_BASE_URL: baseUrl };
  const overheard = { ...toolServer, env };
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const started = [toolServer.command, ...toolServer.args].map(shellWord).join(' ');
  return [
    {
      id: 'curl',
      title: 'Shell',
      where: 'Paste it into a terminal.',
      text: `curl -H 'Authorization: Bearer ${key}' '${baseUrl}/api/v1/scores'`,
    },
    {
      id: 'env',
      title: '.env file',
      where: 'For programs and for the tool server.',
      text: variables.join('\n'),
    },
    {
      id: 'claude-code',
      title: 'Claude Code',
      where: 'Paste it into a terminal.',
      text: `claude mcp add ${variables.map((each) => `--env ${each}`).join(' ')} --transport stdio overheard -- ${started}`,
    },
    {
      id: 'hosts',
      title: 'Claude Desktop, Cursor, Gemini CLI',
      where: 'claude_desktop_config.json, ~/.cursor/mcp.json or ~/.gemini/settings.json',
      text: JSON.stringify({ mcpServers: { overheard } }, null, 2),
    },
    {
      id: 'vscode',
      title: 'VS Code',
      where: '.vscode/mcp.json',
      text: JSON.stringify({ servers: { overheard: { type: 'stdio', ...overheard } } }, null, 2),
    },
  ];
}
