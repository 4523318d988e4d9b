/** The settings of this package, from the environment: the only place that reads it. */
export interface Config {
  /** The workspace key as given, or undefined. */
  readonly apiKey: string | undefined;
  /** Where the server is, or undefined if the address is not usable. */
  readonly baseUrl: URL | undefined;
}

/** Where `overheard serve` listens by default. */
export const defaultBaseUrl = 'http://127.0.0.1:8484';

/** The environment variables, for the manifests and the docs. */
export const settings = {
  OVERHEARD_API_KEY: {
    title: 'Workspace API key',
    description: 'Key of the workspace, made by an operator with `overheard key create`',
    isRequired: true,
    isSecret: true,
  },
  OVERHEARD_BASE_URL: {
    title: 'Address of the server',
    description: 'Address of the Overheard server, without /api/v1',
    isRequired: false,
    isSecret: false,
    default: defaultBaseUrl,
  },
} as const;

/**
 * Reads the settings. Never throws, because a server that did not start could not report the fault.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  return {
    apiKey: textOf(environment['OVERHEARD_API_KEY']),
    baseUrl: addressOf(textOf(environment['OVERHEARD_BASE_URL']) ?? defaultBaseUrl),
  };
}

/** Hosts pass an empty field as '' or as its placeholder. */
function textOf(value: string | undefined): string | undefined {
  const text = value?.trim() ?? '';
  return text === '' || /^(?:\$?\{[^}]*\}|\$\w+)$/.test(text) ? undefined : text;
}

function addressOf(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isPlain || url.username !== '' || url.password !== '') return undefined;
  // People copy the address from an example of the API.
  url.pathname = url.pathname.replace(/\/api\/v1(?:\/.*)?$/i, '').replace(/\/+$/, '');
  return url;
}
