import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '../all-endpoints.ts';
import { openApiDocument } from './open-api-document.ts';
import { problemCodes, problemPath, problems } from '../problems.ts';

const serverUrl = 'https://overheard.acme.test';
const text = JSON.stringify(openApiDocument({ serverUrl, version: '1.2.3' }));

/** The parts that these tests check. OpenAPI's own schema covers the others. */
const schema = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  required: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.looseObject({ type: z.unknown().optional() })).optional(),
});
const responses = z.record(
  z.string(),
  z.object({
    headers: z.record(z.string(), z.unknown()).optional(),
    content: z
      .record(
        z.string(),
        z.object({ examples: z.record(z.string(), z.object({ value: z.json() })).optional() }),
      )
      .optional(),
  }),
);
const documentSchema = z.object({
  security: z.tuple([z.strictObject({ key: z.array(z.string()) })]),
  paths: z.record(
    z.string(),
    z.strictObject({
      get: z.looseObject({
        operationId: z.string(),
        parameters: z.array(z.looseObject({ name: z.string().optional() })),
        responses: z.looseObject({ 200: responses.valueType, 304: responses.valueType }),
      }),
    }),
  ),
  components: z.looseObject({
    schemas: z.record(z.string(), schema),
    securitySchemes: z.strictObject({ key: z.unknown() }),
    responses,
  }),
});
const document = documentSchema.parse(JSON.parse(text));

describe('the schema of OpenAPI 3.1', () => {
  const validate = (source: string) => new Validator().validate(JSON.parse(source));

  test('the description is valid, and each of its references leads somewhere', async () => {
    expect(await validate(text)).toEqual({ valid: true });
  });

  test('a description whose reference leads nowhere is invalid', async () => {
    const [was, is] = ['#/components/schemas/Score"', '#/components/schemas/Scoer"'];
    expect(text).toContain(was);
    expect(await validate(text.replaceAll(was, is))).toMatchObject({ valid: false });
  });
});

describe.each(endpoints)('$path', ({ path, array, fields, row, query, isPaged, isObject }) => {
  const operation = document.paths[path]?.get;

  test('the schema of a row requires every field, in order', () => {
    const found = Object.values(document.components.schemas).find(
      ({ properties = {} }) => Object.keys(properties).join() === fields.join(),
    );
    expect(found?.required).toEqual(fields);
  });

  test('an operation takes exactly the parameters of its query', () => {
    const names = operation?.parameters.flatMap(({ name }) => name ?? []);
    expect(names).toEqual(Object.keys(query.shape));
  });

  test('the examples of a schema match it', () => {
    const body = z.strictObject({ [array]: isObject ? row : z.array(row) });
    const examples = operation?.responses[200].content?.['application/json']?.examples ?? {};
    expect(Object.keys(examples)).toEqual(isObject ? ['object'] : ['rows', 'none']);
    for (const { value } of Object.values(examples)) expect(body.parse(value)).toEqual(value);
  });

  test('an operation can fail with every status of a problem, and with no other', () => {
    const statuses = Object.keys(operation?.responses ?? {}).map(Number);
    const failures = problemCodes.map((code): number => problems[code].status);
    expect(new Set(statuses)).toEqual(new Set([200, 304, ...failures]));
  });

  test('the description promises the headers of a 200 and of a 304', () => {
    const names = [
      'X-Request-Id',
      'ETag',
      'Cache-Control',
      'Vary',
      'RateLimit-Policy',
      'RateLimit',
    ];
    const ofRows = isPaged ? [...names, 'Link'] : names;
    expect(Object.keys(operation?.responses[200].headers ?? {})).toEqual(ofRows);
    expect(Object.keys(operation?.responses[304].headers ?? {})).toEqual(names);
  });
});

test('every problem code has one example, under its status, with its page', () => {
  const examples = Object.entries(document.components.responses).flatMap(([name, response]) =>
    Object.entries(response.content?.['application/problem+json']?.examples ?? {}).map(
      ([code, { value }]) => ({ name, code, value }),
    ),
  );
  expect(examples.map(({ code }) => code)).toEqual(problemCodes);
  for (const [index, code] of problemCodes.entries()) {
    const { status, title } = problems[code];
    expect(examples[index]).toMatchObject({
      name: `Problem${status}`,
      value: { type: serverUrl + problemPath(code), status, title, code },
    });
  }
});
