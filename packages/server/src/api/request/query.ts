import { nearest } from '@overheard/contract';
import type { z } from 'zod';
import { Problem } from '../../problems.ts';
import type { ParameterError } from '../../problems.ts';

/** Most errors to list. */
const errorsMax = 20;

/**
 * Parses the part of a request target after `?`. Every parameter must be known, occur once, be well
 * encoded and have a valid value, because a mistyped filter must never return everything. Throws
 * `invalid_parameter`.
 */
export function parseQuery<Query extends z.ZodObject>(
  search: string,
  schema: Query,
  of: 'endpoint' | 'page' = 'endpoint',
): z.infer<Query> {
  const errors: ParameterError[] = [];
  const values = new Map<string, string>();
  for (const [name, value] of pairs(search, errors)) {
    const error =
      nameError(name, { schema, parameters: values, of }) ??
      (value === '' ? 'It is empty.' : undefined);
    if (error === undefined) values.set(name, value);
    else errors.push({ parameter: name.slice(0, 100), message: error });
  }
  const parsed = schema.safeParse(Object.fromEntries(values));
  if (!parsed.success) errors.push(...parsed.error.issues.map(valueError));
  if (parsed.success && errors.length === 0) return parsed.data;
  throw new Problem('invalid_parameter', summary(errors), { errors: errors.slice(0, errorsMax) });
}

function* pairs(search: string, errors: ParameterError[]): Generator<readonly [string, string]> {
  if (search === '') return;
  for (const part of search.split('&')) {
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const value = decode(equals === -1 ? '' : part.slice(equals + 1));
    if (name === undefined || value === undefined) {
      errors.push({
        parameter: name?.slice(0, 100) ?? '',
        message: 'It is not percent-encoded UTF-8.',
      });
    } else {
      yield [name, value];
    }
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function nameError(
  name: string,
  {
    schema,
    parameters,
    of,
  }: { schema: z.ZodObject; parameters: ReadonlyMap<string, string>; of: 'endpoint' | 'page' },
): string | undefined {
  if (parameters.has(name)) return 'It occurs more than once.';
  const names = Object.keys(schema.shape);
  if (names.includes(name)) return undefined;
  const meant = nearest(name, names);
  if (meant !== undefined) return `It is not a parameter of this ${of}. Did you mean "${meant}"?`;
  if (names.length === 0) return `This ${of} takes no parameters.`;
  return `It is not a parameter of this ${of}, which takes ${names.join(', ')}.`;
}

function valueError(issue: z.core.$ZodIssue): ParameterError {
  const parameter = String(issue.path[0] ?? '');
  if (issue.code === 'invalid_value') {
    return { parameter, message: `It must be one of ${issue.values.join(', ')}.` };
  }
  // Use the sentence of the contract, which describes the expected form.
  return { parameter, message: issue.message };
}

function summary(errors: readonly ParameterError[]): string {
  return errors.length === 1
    ? 'One query parameter is not valid; `errors` says what is expected.'
    : `${errors.length} query parameters are not valid; \`errors\` says what is expected.`;
}
