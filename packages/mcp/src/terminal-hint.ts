/** What is said to a person who starts it by hand and would see nothing at all; nothing to a host. */
export function terminalHint({ isTTY }: { readonly isTTY?: boolean }): string {
  return isTTY === true
    ? 'overheard-mcp waits for an AI assistant to speak to it: a host starts it, see --help. To try your settings: --check. Control-C ends it.\n'
    : '';
}
