import { fileURLToPath } from 'node:url';

/**
 * What a host of assistants needs to start `overheard-mcp` with a key: the form that most of them read.
 * In a clone it names the program by its path, because a host starts it in any folder and with any
 * PATH, and because npm may not have the package.
 */
export function assistantSnippet({ key, baseUrl }: { key: string; baseUrl: string }): string {
  const overheard = {
    ...findToolServer(),
    env: { OVERHEARD_API_KEY: key, OVERHEARD_BASE_URL: baseUrl },
  };
  return JSON.stringify({ mcpServers: { overheard } });
}

/** What starts the tool server on this machine. */
export function findToolServer(): { command: string; args: string[] } {
  try {
    const program = import.meta.resolve('overheard-mcp/bin/overheard-mcp.js');
    return { command: process.execPath, args: [fileURLToPath(program)] };
  } catch {
    // It is a package of its own, which is not beside an installed server.
    return { command: 'npx', args: ['-y', 'overheard-mcp'] };
  }
}
