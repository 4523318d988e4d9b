import { z } from 'zod';
import type { JsonSchema } from './argument-kinds.ts';
import { argumentsOf } from './arguments.ts';
import { columnsOf } from './names.ts';
import { schemaFields } from '../tools/tool-row.ts';
import { envelope } from './result.ts';
import type { Tool } from '../tools/tool.ts';

const json = z.record(z.string(), z.json());

/** An object's schema, as the protocol wants it at the root. */
export type ObjectSchema = JsonSchema & { type: 'object'; properties: Record<string, JsonSchema> };

/**
 * The schema of a tool's arguments for a model. It has only what the model needs, because every
 * word costs tokens. It does not forbid other names, because a host would refuse them with words of
 * its own, and ours name the argument that was meant.
 */
export function inputSchema(tool: Tool): ObjectSchema {
  const properties = argumentsOf(tool).map(({ name, kind, description }): [string, JsonSchema] => [
    name,
    description === undefined ? kind.schema : { ...kind.schema, description },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** The schema against which clients may check a tool's results. */
export function outputSchema(tool: Tool): ObjectSchema {
  const { array } = tool.endpoint;
  const { asRuns, shape } = tool;
  const hasColumns = shape === undefined;
  const around = schemaFields(envelope);
  const required = around.filter(([, schema]) => !(schema instanceof z.ZodOptional));
  return {
    type: 'object',
    properties: {
      ...(hasColumns
        ? { columns: { type: 'array', items: { type: 'string', enum: [...columnsOf(tool)] } } }
        : {}),
      [array]: { type: 'array', items: { type: hasColumns ? 'array' : 'object' } },
      ...(asRuns === undefined ? {} : { runs: { type: 'array', items: runLine } }),
      ...Object.fromEntries(
        around.map(([name, schema]): [string, JsonSchema] => [name, plain(schema)]),
      ),
    },
    // Lines of runs come instead of rows, without columns.
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

/** Makes a JSON Schema without examples, and without the dialect, which is the default. */
function plain(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...plainSchema } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      delete jsonSchema.examples;
    },
  });
  return json.parse(plainSchema);
}
