import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { LightMyRequestResponse } from 'fastify';
import { endpoints } from '@overheard/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { call, newTenant, nowMs, publicUrl, startApi } from '../../../test/servers/api.ts';
import type { Api } from '../../../test/servers/api.ts';
import { oneOfEach, writeRows } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { Refusal } from '../../refusals.ts';
import type { Store } from '../../storage/store.ts';

const rows = oneOfEach({ subjectId: null });

/** One response for each status that a request can provoke. */
const requests: Readonly<
  Record<number, (api: Api, path: string, key: string) => Promise<LightMyRequestResponse>>
> = {
  200: (api, path, key) => call(api, path, { key }),
  304: async (api, path, key) => {
    const { headers } = await call(api, path, { key });
    return call(api, path, { key, headers: { 'if-none-match': String(headers['etag']) } });
  },
  400: (api, path, key) => call(api, `${path}?stauts=open`, { key }),
};

/** Responses that all endpoints share. */
const sharedRequests: typeof requests = {
  401: (api, path) => call(api, path),
  404: (api, path, key) => call(api, `${path}/`, { key }),
  405: (api, path, key) => call(api, path, { key, method: 'POST' }),
};

// The bodies do not depend on the database.
eachStore({ title: 'the description of the API', onBoth: false }, (open) => {
  let store: Store;
  let key: string;
  beforeAll(async () => {
    ({ store } = await open({ clock: () => nowMs }));
    const tenant = await newTenant(store);
    ({ key } = tenant);
    await writeRows(store, tenant.workspaceId, rows);
  });

  describe.each(endpoints)('$path', ({ path }) => {
    test.each(Object.entries(requests))(
      '%i has the body and the headers that it promises',
      async (status, request) => {
        const api = await startApi(store);
        await expectAsDescribed(api, path, await request(api, path, key), Number(status));
      },
    );
  });

  test.each(Object.entries(sharedRequests))(
    '%i has the body and the headers that each endpoint promises',
    async (status, request) => {
      const api = await startApi(store);
      for (const { path } of endpoints) {
        await expectAsDescribed(api, path, await request(api, path, key), Number(status));
      }
    },
  );

  test('429 has the body and the headers that each endpoint promises', async () => {
    const strict = await startApi(store, { quota: 1 });
    for (const { path } of endpoints) {
      await call(strict, path, { key });
      await expectAsDescribed(strict, path, await call(strict, path, { key }), 429);
    }
  });

  test.each([
    [503, new Refusal('database_unreachable', {})],
    [500, new Error('a bug')],
  ])(
    'a response with status %i has the body and the headers that each endpoint promises',
    async (status, failure) => {
      const failing = await startApi({ ...store, admit: () => Promise.reject(failure) });
      for (const { path } of endpoints) {
        await expectAsDescribed(failing, path, await call(failing, path, { key }), status);
      }
    },
  );
});

/** The parts of the document that this test reads. The validator reads the schemas. */
const responseSchema = z.object({
  headers: z.record(z.string(), z.unknown()),
  content: z.record(z.string(), z.object({ schema: z.object({ $ref: z.string() }) })).optional(),
});
const documentSchema = z.looseObject({
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(
    z.string(),
    z.object({
      get: z.object({
        responses: z.record(
          z.string(),
          z.union([z.strictObject({ $ref: z.string() }), responseSchema.loose()]),
        ),
      }),
    }),
  ),
  components: z.looseObject({ responses: z.record(z.string(), responseSchema) }),
});

async function expectAsDescribed(
  api: Api,
  path: string,
  response: LightMyRequestResponse,
  status: number,
): Promise<void> {
  expect(response.statusCode, response.body).toBe(status);
  const { document, validator } = read((await call(api, '/api/v1/openapi.json')).body);
  expect(document.servers).toEqual([expect.objectContaining({ url: publicUrl })]);
  const { headers, content } = promiseOf(document, path, status);
  const promised = Object.keys(headers).map((name) => name.toLowerCase());
  // Only a response with a next page has `Link`.
  const always = promised.filter((name) => name !== 'link');
  expect(Object.keys(response.headers)).toEqual(expect.arrayContaining(always));
  expect(bodyFailures(validator, content, response)).toEqual([]);
}

type Document = z.infer<typeof documentSchema>;
type Validator = InstanceType<typeof Ajv2020>;

const documents = new Map<string, { document: Document; validator: Validator }>();

/** Every server here has the same document, whose schemas take long to compile. */
function read(text: string): { document: Document; validator: Validator } {
  const known = documents.get(text);
  if (known !== undefined) return known;
  const document = documentSchema.parse(JSON.parse(text));
  const validator = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
  validator.addSchema(document, 'document');
  documents.set(text, { document, validator });
  return { document, validator };
}

function promiseOf(document: Document, path: string, status: number) {
  const promised = document.paths[path]?.get.responses[status];
  const isReference = promised !== undefined && '$ref' in promised;
  const name = isReference ? String(promised.$ref).split('/').at(-1) : undefined;
  return responseSchema.parse(name === undefined ? promised : document.components.responses[name]);
}

function bodyFailures(
  validator: Validator,
  content: z.infer<typeof responseSchema>['content'],
  response: LightMyRequestResponse,
): unknown[] {
  if (content === undefined) return response.body === '' ? [] : ['There is a body.'];
  const mediaType = String(response.headers['content-type']).replace('; charset=utf-8', '');
  const schema = content[mediaType]?.schema;
  if (schema === undefined) return [`${mediaType} is not described.`];
  validator.validate(`document${schema.$ref}`, response.json());
  return validator.errors ?? [];
}
