export interface Options {
  readonly http?: boolean | undefined;
  readonly port?: number | undefined;
  readonly check?: boolean | undefined;
  readonly version?: boolean | undefined;
  readonly help?: boolean | undefined;
}

/** Parses the command line. Returns a message if it is wrong. */
export async function readOptions(args: string[]): Promise<Options | string> {
  // Hosts give no arguments, and loading the parser would add 5 ms to every start.
  if (args.length === 0) return {};
  const { parseArgs } = await import('node:util');
  try {
    const { values } = parseArgs({
      args,
      options: {
        http: { type: 'boolean' },
        port: { type: 'string' },
        check: { type: 'boolean' },
        version: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const { port, ...flags } = values;
    if (port === undefined) return flags;
    if (!values.http) return '--port is for --http.';
    return /^\d{1,5}$/.test(port) && Number(port) <= 65_535
      ? { ...flags, port: Number(port) }
      : '--port must be a whole number from 0 to 65535.';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A hint for a person who starts the program by hand; empty for a host. */
export function terminalHint({ isTTY }: { readonly isTTY?: boolean }): string {
  return isTTY === true
    ? 'overheard-mcp waits for an AI assistant to speak to it: a host starts it, see --help. To try your settings: --check. Control-C ends it.\n'
    : '';
}
