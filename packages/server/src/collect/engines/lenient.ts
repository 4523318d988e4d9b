import { z } from 'zod';
import { parseJson } from '../../values/json.ts';

/*
 * Building blocks of schemas that never refuse a paid answer. A part that is missing or has an
 * undocumented type becomes undefined or is left out, and everything around it stays.
 */

/** Text that can be stored, without NUL and lone surrogates. */
export const storable = z
  .string()
  .transform((value) => value.toWellFormed().replaceAll('\0', '\u{fffd}'));

export const text = storable.optional().catch(undefined);

export const count = z.number().nonnegative().optional().catch(undefined);

/** The elements of a list that match the schema. */
export function items<Schema extends z.ZodType>(schema: Schema) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((list) =>
      list.flatMap((item) => {
        const parsed = schema.safeParse(item);
        return parsed.success ? [parsed.data] : [];
      }),
    );
}

/** An object whose parts are lenient themselves. */
export function part<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.object(shape).optional().catch(undefined);
}

export const texts = items(storable);

/** The parts of a page that has an address. */
export const pageShape = { url: storable.pipe(z.string().trim().min(1)), title: text };

/**
 * An annotation that cites a page. Annotations of other kinds, such as a picture, may also have an
 * address.
 */
export const citation = z.object({
  ...pageShape,
  type: z
    .string()
    .regex(/citation$/)
    .optional(),
});

/** The query in the arguments of a tool, which are JSON text. */
export const queryArgument = z
  .string()
  .transform(parseJson)
  .pipe(z.object({ query: storable }))
  .transform(({ query }) => query)
  .optional()
  .catch(undefined);
