import { z } from 'zod';
import { isJsonArray, isJsonObject } from './json.ts';
import type { Json, JsonObject } from './json.ts';

const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.json());

/**
 * The JSON Schema of an object: its fields are required if the schema says so, nullable ones have
 * `type: [x, 'null']`, and other fields are allowed, because later versions may add some.
 */
export function objectSchema(schema: z.ZodObject): JsonObject {
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
export function propertiesOf(schema: JsonObject): ReadonlyArray<readonly [string, JsonObject]> {
  const { properties } = schema;
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) =>
    isJsonObject(property) ? [[name, property] as const] : [],
  );
}

/** An example of an object, made of the first examples of its properties. */
export function exampleOf(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    propertiesOf(schema).map(([name, property]) => [name, firstExample(property)]),
  );
}

/** The first of a schema's examples; null if it has none. */
export function firstExample({ examples }: JsonObject): Json {
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
