import { z } from 'zod';
import type { JsonSchema } from './argument-kinds.ts';
import { argumentsOf } from './arguments.ts';
import { schemaFields } from '../tools/tool-row.ts';
import { envelope } from './result.ts';
import type { Tool } from '../tools/tool.ts';

const json = z.record(z.string(), z.json());

/** An object's schema, as the protocol wants it at the root. */
export type ObjectSchema = JsonSchema & { type: 'object'; properties: Record<string, JsonSchema> };

/**
 * The schema of a tool's arguments for a model. It has only what the model needs, because every
 * word costs tokens.
 */
export function inputSchema(tool: Tool): ObjectSchema {
  const properties = argumentsOf(tool).map(({ name, kind, description }): [string, JsonSchema] => [
    name,
    description === undefined ? kind.schema : { ...kind.schema, description },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

/** The schema against which clients may check a tool's results. */
export function outputSchema(tool: Tool): ObjectSchema {
  const { array, row } = tool.endpoint;
  const { asRuns } = tool;
  const around = schemaFields(envelope);
  const required = around.filter(([, schema]) => !(schema instanceof z.ZodOptional));
  return {
    type: 'object',
    properties: {
      [array]: {
        type: 'array',
        items: tool.shape === undefined ? shapedSchema(tool, plain(row)) : { type: 'object' },
      },
      ...(asRuns === undefined ? {} : { runs: { type: 'array', items: runLine } }),
      ...Object.fromEntries(
        around.map(([name, schema]): [string, JsonSchema] => [name, plain(schema)]),
      ),
    },
    required: [...(asRuns === undefined ? [array] : []), ...required.map(([name]) => name)],
    additionalProperties: false,
  };
}

const runLine = {
  type: 'object',
  properties: { run: { type: 'string' } },
  required: ['run'],
  additionalProperties: false,
};

/** The schema of a shaped row, with a name beside an id, or with fields that may be missing. */
function shapedSchema({ beside, lean }: Tool, schema: JsonSchema): JsonSchema {
  const { properties, required, ...rest } = objectSchema.parse(schema);
  const fields = Object.entries(properties).filter(([name]) => !lean?.without.includes(name));
  const addedFields = beside === undefined ? [] : [[beside.field, { type: 'string' }] as const];
  return {
    ...rest,
    properties: Object.fromEntries([...fields, ...addedFields]),
    required: required.filter((name) => lean === undefined && name in properties),
  };
}

const objectSchema = z
  .looseObject({ properties: json, required: z.array(z.string()) })
  .catchall(z.json());

/** Makes a JSON Schema without examples, and without the dialect, which is the default. */
function plain(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...plainSchema } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      delete jsonSchema.examples;
    },
  });
  return json.parse(plainSchema);
}
