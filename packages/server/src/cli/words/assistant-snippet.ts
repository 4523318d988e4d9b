import { fileURLToPath } from 'node:url';

/**
 * The configuration that most hosts of assistants need to start `overheard-mcp` with a key. In a
 * clone it names the program by its path, because a host starts it in any folder and with any PATH,
 * and npm may not have the package.
 */
export function assistantSnippet({ key, baseUrl }: { key: string; baseUrl: string }): string {
  const overheard = {
    ...findToolServer(),
    env: { OVERHEARD_API_KEY: key, OVERHEARD_BASE_URL: baseUrl },
  };
  return JSON.stringify({ mcpServers: { overheard } });
}

/** Finds the command that starts the tool server on this machine. */
export function findToolServer(): { command: string; args: string[] } {
  try {
    const program = import.meta.resolve('overheard-mcp/bin/overheard-mcp.js');
    return { command: process.execPath, args: [fileURLToPath(program)] };
  } catch {
    // The tool server is a separate package, which an installed server does not include.
    return { command: 'npx', args: ['-y', 'overheard-mcp'] };
  }
}
