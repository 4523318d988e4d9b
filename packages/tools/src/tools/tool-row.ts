import { z } from 'zod';

/** A row of the contract, whichever endpoint it is of. */
export type ToolRow = Readonly<Record<string, unknown>>;

/** The fields of an object's schema, in its order. */
export function schemaFields({ shape }: z.ZodObject): ReadonlyArray<readonly [string, z.ZodType]> {
  const entries: Array<[string, unknown]> = Object.entries(shape);
  return entries.flatMap(([name, field]) =>
    field instanceof z.ZodType ? [[name, field] as const] : [],
  );
}
