import manifest from '../package.json' with { type: 'json' };
import { defaultBaseUrl, settings } from '../src/config.ts';
import { servedTools } from '@overheard/tools';

/** The file that starts the program, in the published package and in the bundle for desktop hosts. */
export const programFile = 'overheard-mcp.js';

/** All of the program in one file, which the other loads. */
export const bundleFile = 'program.js';

const { name, version, description, mcpName, license, author, engines } = manifest;
const title = 'Overheard';
const listed = servedTools().map((tool) => ({ name: tool.name, description: tool.description }));

/** What npm gets: the program, which needs no other package. */
export function publishedManifest(): Record<string, unknown> {
  const { bin: _bin, files: _files, scripts: _scripts, devDependencies: _dev, ...kept } = manifest;
  return {
    ...kept,
    bin: { [name]: programFile },
    files: [programFile, bundleFile, 'THIRD-PARTY-LICENSES.txt'],
  };
}

/** The entry for the registry of tool servers. */
export function serverJson(): Record<string, unknown> {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title,
    // The registry takes 100 characters.
    description: 'What AI answer engines say about your brand, as five read-only tools.',
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        transport: { type: 'stdio' },
        environmentVariables: Object.entries(settings).map(([variable, setting]) => ({
          name: variable,
          description: setting.description,
          isRequired: setting.isRequired,
          isSecret: setting.isSecret,
          format: 'string',
          ...('default' in setting ? { default: setting.default } : {}),
        })),
      },
    ],
    _meta: {
      'io.modelcontextprotocol.registry/publisher-provided': { tools: listed },
    },
  };
}

/** The manifest of the bundle that desktop hosts install by double click. */
export function bundleManifest(): Record<string, unknown> {
  return {
    manifest_version: '0.3',
    name,
    display_name: title,
    version,
    description,
    author: { name: author },
    license,
    server: {
      type: 'node',
      entry_point: programFile,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${programFile}`],
        env: {
          OVERHEARD_API_KEY: '${user_config.api_key}',
          OVERHEARD_BASE_URL: '${user_config.base_url}',
        },
      },
    },
    tools: listed,
    tools_generated: false,
    user_config: {
      api_key: {
        type: 'string',
        title: settings.OVERHEARD_API_KEY.title,
        description: settings.OVERHEARD_API_KEY.description,
        sensitive: true,
        required: true,
      },
      base_url: {
        type: 'string',
        title: settings.OVERHEARD_BASE_URL.title,
        description: settings.OVERHEARD_BASE_URL.description,
        default: defaultBaseUrl,
        required: false,
      },
    },
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: engines.node } },
  };
}
