/** What a host of assistants needs to start `overheard-mcp` with a key: the form that most of them read. */
export function assistantSnippet({ key, baseUrl }: { key: string; baseUrl: string }): string {
  const overheard = {
    command: 'npx',
    args: ['-y', 'overheard-mcp'],
    env: { OVERHEARD_API_KEY: key, OVERHEARD_BASE_URL: baseUrl },
  };
  return JSON.stringify({ mcpServers: { overheard } });
}
