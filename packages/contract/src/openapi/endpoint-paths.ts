import type { Endpoint } from '../endpoint.ts';
import { headerReferences } from './headers.ts';
import { isJsonArray, isJsonObject, reference } from './json.ts';
import type { Json, JsonObject } from './json.ts';
import { problemReferences } from './problem-responses.ts';
import { z } from 'zod';

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

/** `agent-hits` -> `AgentHit`, of an object `ReportFigures`, and of `reports` no second `Report` */
function rowName(endpoint: Endpoint): string {
  const name = answerName(endpoint);
  if (name === 'Reports') return 'PublishedReport';
  return endpoint.isObject ? `${name}Figures` : name.replace(/s$/, '');
}

const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.json());

/**
 * The JSON Schema of an object: its fields are required if the schema says so, nullable ones have
 * `type: [x, 'null']`, and other fields are allowed, because later versions may add some.
 */
function objectSchema(schema: z.ZodObject): JsonObject {
  const { $schema, additionalProperties, properties, ...rest } = jsonObject.parse(
    z.toJSONSchema(schema, { target: 'draft-2020-12' }),
  );
  return {
    ...rest,
    properties: mapValues(properties, (each) => nullableInPlace(openInside(each))),
  };
}

/** Also allows other fields in objects within a row, and writes nullable types in place. */
function openInside(schema: JsonObject): JsonObject {
  const { items, additionalProperties, properties, ...rest } = schema;
  return {
    ...rest,
    ...(isJsonObject(items) && { items: openInside(items) }),
    ...(isJsonObject(properties) && {
      properties: mapValues(properties, (each) => nullableInPlace(openInside(each))),
    }),
  };
}

/** The properties of an object's JSON Schema, by name and in order. */
function propertiesOf(schema: JsonObject): ReadonlyArray<readonly [string, JsonObject]> {
  const { properties } = schema;
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) =>
    isJsonObject(property) ? [[name, property] as const] : [],
  );
}

/** An example of an object, made of the first examples of its properties. */
function exampleOf(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    propertiesOf(schema).map(([name, property]) => [name, firstExample(property)]),
  );
}

/** The first of a schema's examples; null if it has none. */
function firstExample({ examples }: JsonObject): Json {
  return isJsonArray(examples) ? (examples[0] ?? null) : null;
}

/** Turns `anyOf: [x, null]` into the shorter `type: [x, 'null']`. */
function nullableInPlace({ anyOf, ...outer }: JsonObject): JsonObject {
  if (!isJsonArray(anyOf)) return outer;
  const inner = anyOf.find((each) => isJsonObject(each) && each['type'] !== 'null');
  if (!isJsonObject(inner) || inner['type'] === undefined) return { anyOf, ...outer };
  const values = inner['enum'];
  return {
    ...inner,
    type: [inner['type'], 'null'],
    ...(isJsonArray(values) && { enum: [...values, null] }),
    ...outer,
  };
}

function mapValues(object: Json | undefined, map: (value: JsonObject) => JsonObject): JsonObject {
  if (!isJsonObject(object)) return {};
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, isJsonObject(value) ? map(value) : value]),
  );
}
