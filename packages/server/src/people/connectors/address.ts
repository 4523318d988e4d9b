/** What a grant allows. */
export const connectorScope = 'overheard:read';

/** Where assistants sign in, and what their tokens are for. */
export interface ConnectorAddress {
  readonly issuer: string;
  /** The address of the tools (RFC 8707). */
  readonly resource: string;
  /** The address of the document that describes the tools (RFC 9728). */
  readonly metadata: string;
  readonly mayRegister: boolean;
}

/**
 * The addresses for a server's public URL and its setting `connectors`. Undefined if assistants
 * cannot sign in: it is switched off, or codes and tokens would cross a network in clear text.
 */
export function connectorAddress(publicUrl: string, mode: string): ConnectorAddress | undefined {
  const url = URL.parse(publicUrl);
  if (mode === 'off' || url === null || url.pathname !== '/') return undefined;
  if (url.protocol !== 'https:' && !isLoopback(url)) return undefined;
  const issuer = url.origin;
  return {
    issuer,
    resource: `${issuer}/mcp`,
    metadata: `${issuer}/.well-known/oauth-protected-resource/mcp`,
    mayRegister: mode === 'all',
  };
}

/** Whether a request is for the tools at our address and for no others; it may name them repeatedly. */
export function isForTools(parameters: URLSearchParams, { resource }: ConnectorAddress): boolean {
  const asked = parameters.getAll('resource');
  return asked.length > 0 && asked.every((each) => URL.parse(each)?.href === resource);
}

/** Whether a parameter is repeated that may not be: any but `resource` (RFC 8707, 2). */
export function hasRepeated(parameters: URLSearchParams): boolean {
  const names = [...parameters.keys()].filter((name) => name !== 'resource');
  return new Set(names).size < names.length;
}

/** Whether an address is this machine's own, and every port of it. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}
