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
      text: Object.entries(env)
        .map(([name, value]) => `${name}=${value}`)
        .join('\n'),
    },
    ...addressUses({ key, baseUrl }),
    {
      id: 'claude-desktop',
      title: 'Claude Desktop',
      where: 'claude_desktop_config.json: it starts the tool server on its own machine.',
      text: JSON.stringify({ mcpServers: { overheard: { ...toolServer, env } } }, null, 2),
    },
  ];
}

/** How each host of assistants takes the tools at the server's own address. */
export function addressUses({ key, baseUrl }: { key: string; baseUrl: string }): readonly KeyUse[] {
  const url = `${baseUrl}/mcp`;
  const authorization = `Bearer ${key}`;
  const headers = { Authorization: authorization };
  return [
    {
      id: 'claude-code',
      title: 'Claude Code',
      where: 'Paste it into a terminal.',
      text: `claude mcp add --transport http overheard ${url} --header "Authorization: ${authorization}"`,
    },
    {
      id: 'cursor',
      title: 'Cursor',
      where: '~/.cursor/mcp.json',
      text: JSON.stringify({ mcpServers: { overheard: { url, headers } } }, null, 2),
    },
    {
      id: 'vscode',
      title: 'VS Code',
      where: '.vscode/mcp.json',
      text: JSON.stringify({ servers: { overheard: { type: 'http', url, headers } } }, null, 2),
    },
    {
      id: 'gemini',
      title: 'Gemini CLI',
      where: 'Paste it into a terminal.',
      text: `gemini mcp add --scope user --transport http --header "Authorization: ${authorization}" overheard ${url}`,
    },
    {
      id: 'codex',
      title: 'Codex',
      where: '~/.codex/config.toml',
      text: `[mcp_servers.overheard]\nurl = "${url}"\nhttp_headers = { Authorization = "${authorization}" }`,
    },
    {
      id: 'n8n',
      title: 'n8n',
      where: 'Node MCP Client Tool, with a credential of the type Bearer Auth.',
      text: `Endpoint: ${url}\nServer transport: HTTP Streamable\nAuthentication: Bearer Auth\nBearer token: ${key}`,
    },
    {
      id: 'copilot-studio',
      title: 'Copilot Studio',
      where: 'Tools, Add a tool, New tool, Model Context Protocol.',
      text: `Server URL: ${url}\nAuthentication: API key\nType: Header\nHeader name: Authorization\nAPI key: ${authorization}`,
    },
  ];
}
