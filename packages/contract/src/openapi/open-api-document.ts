import { endpoints } from '../all-endpoints.ts';
import { keyPrefix } from '../key.ts';
import { quota } from '../limits.ts';
import { headerComponents } from './headers.ts';
import type { JsonObject } from './json.ts';
import { endpointPaths, endpointSchemas, ifNoneMatch } from './endpoint-paths.ts';
import { parameterErrorSchema, problemResponses, problemSchema } from './problem-responses.ts';

const tag = 'workspace';

const description = `What AI answer engines say about a company, and which AI crawlers read its site: one workspace's data, read-only.

- **Key**: \`Authorization: Bearer <key>\` on every request. The key decides whose data is read.
- **Quota**: ${quota.requests} requests per endpoint and workspace in any ${quota.windowSeconds} seconds, unless the operator has set another; \`RateLimit\` says what is left.
- **Caching**: send the \`ETag\` of the last response as \`If-None-Match\`; a 304 counts as a request.
- **Times** are UTC: \`2026-11-20T12:34:56.789Z\`, days \`2026-11-20\`.
- **Parameters** that are unknown, repeated or out of range are refused, never ignored.
- **Compatibility**: within v1 changes only add. Expect fields that are not described here.
- \`HEAD\` responds like \`GET\`, without a body.`;

/**
 * The description of the API, OpenAPI 3.1.1, made of the endpoints, the problem codes and the limits.
 * `serverUrl` is the server's public address without a slash at its end, `version` that of the service.
 */
export function openApiDocument({
  serverUrl,
  version,
}: {
  serverUrl: string;
  version: string;
}): JsonObject {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Overheard',
      summary: 'What AI answer engines say about you, and which AI crawlers read your site.',
      description,
      version,
      contact: { name: 'The Overheard authors' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'This server.' }],
    tags: [{ name: tag, description: "One workspace's data." }],
    security: [{ key: [] }],
    paths: endpointPaths(endpoints, tag),
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: `${keyPrefix} and 38 letters and digits`,
          description:
            'A key of a workspace. An operator makes one with `overheard key create --workspace SLUG`.',
        },
      },
      parameters: { IfNoneMatch: ifNoneMatch },
      headers: headerComponents(),
      schemas: {
        ...endpointSchemas(endpoints),
        Problem: problemSchema(),
        ParameterError: parameterErrorSchema(),
      },
      responses: problemResponses(serverUrl),
    },
  };
}
