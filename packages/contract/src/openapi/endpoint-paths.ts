import type { Endpoint } from '../endpoint.ts';
import { headerReferences } from './headers.ts';
import { reference } from './json.ts';
import type { JsonObject } from './json.ts';
import { problemReferences } from './problem-responses.ts';
import { exampleOf, firstExample, objectSchema, propertiesOf } from './schema.ts';

const answerHeaderNames = [
  'X-Request-Id',
  'ETag',
  'Cache-Control',
  'Vary',
  'RateLimit-Policy',
  'RateLimit',
] as const;
const answerHeaders = headerReferences(answerHeaderNames);

/** The parameter with the tag of the response that the client already has. */
export const ifNoneMatch: JsonObject = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of an earlier response: 304 without a body if it is still current.',
  schema: { type: 'string' },
  example: 'W/"m3mJ8sVtQ2kZ1xYb"',
};

/** The paths of the endpoints, each with its one operation. */
export function endpointPaths(endpoints: readonly Endpoint[], tag: string): JsonObject {
  return Object.fromEntries(
    endpoints.map((endpoint) => [endpoint.path, { get: operation(endpoint, tag) }]),
  );
}

/** The schemas of the endpoints: a row, and the object around the rows. */
export function endpointSchemas(endpoints: readonly Endpoint[]): JsonObject {
  return Object.fromEntries(
    endpoints.flatMap((endpoint) => [
      [rowName(endpoint), rowSchema(endpoint)],
      [answerName(endpoint), answerSchema(endpoint)],
    ]),
  );
}

function operation(endpoint: Endpoint, tag: string): JsonObject {
  return {
    operationId: `${endpoint.isObject ? 'get' : 'list'}${answerName(endpoint)}`,
    summary: endpoint.summary,
    description: endpoint.description,
    tags: [tag],
    parameters: [...queryParameters(endpoint), reference('parameters', 'IfNoneMatch')],
    responses: {
      200: {
        description: `The complete ${endpoint.isObject ? 'report' : 'list'}, from one moment.`,
        headers: endpoint.isPaged
          ? headerReferences([...answerHeaderNames, 'Link'])
          : answerHeaders,
        content: {
          'application/json': {
            schema: reference('schemas', answerName(endpoint)),
            examples: answerExamples(endpoint),
          },
        },
      },
      304: { description: "The client's version is still current.", headers: answerHeaders },
      ...problemReferences(),
    },
  };
}

function answerExamples(endpoint: Endpoint): JsonObject {
  const { array, isObject } = endpoint;
  const row = exampleOf(rowSchema(endpoint));
  if (isObject) return { object: { summary: 'The one object.', value: { [array]: row } } };
  return {
    rows: { summary: 'One row; there may be many.', value: { [array]: [row] } },
    none: { summary: 'No rows.', value: { [array]: [] } },
  };
}

function queryParameters({ query }: Endpoint): JsonObject[] {
  return propertiesOf(objectSchema(query)).map(([name, property]) => {
    const { description = '', examples, ...schema } = property;
    return {
      name,
      in: 'query',
      required: false,
      description,
      schema,
      example: firstExample(property),
    };
  });
}

function rowSchema({ row, summary, isObject }: Endpoint): JsonObject {
  return {
    description: `${isObject ? 'The object' : 'A row'} of: ${summary}.`,
    ...objectSchema(row),
  };
}

function answerSchema(endpoint: Endpoint): JsonObject {
  return {
    type: 'object',
    description: endpoint.description,
    required: [endpoint.array],
    properties: {
      [endpoint.array]: endpoint.isObject
        ? reference('schemas', rowName(endpoint))
        : {
            type: 'array',
            description: 'The rows, in the order that the endpoint promises.',
            items: reference('schemas', rowName(endpoint)),
            ...(endpoint.rowsMax !== undefined && { maxItems: endpoint.rowsMax }),
          },
    },
  };
}

/** `agent-hits` -> `AgentHits` */
function answerName({ name }: Endpoint): string {
  return name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** `agent-hits` -> `AgentHit`, and of an object `ReportFigures` */
function rowName(endpoint: Endpoint): string {
  const name = answerName(endpoint);
  return endpoint.isObject ? `${name}Figures` : name.replace(/s$/, '');
}
