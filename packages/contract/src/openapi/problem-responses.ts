import { problemCodes, problemPath, problems } from '../problems.ts';
import type { ProblemCode } from '../problems.ts';
import { headerReferences } from './headers.ts';
import type { HeaderName } from './headers.ts';
import { reference } from './json.ts';
import type { Json, JsonObject } from './json.ts';

const mediaType = 'application/problem+json';
const requestId = '0f0b3a52-9a0e-4f4e-8f5c-2d6f2a1f7c11';

/** Headers of a problem besides those that all of them have. */
const headersOfStatus: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
  503: ['Retry-After'],
};

/** The schema of the document of every failure: RFC 9457, with a code of a closed list. */
export function problemSchema(): JsonObject {
  return {
    type: 'object',
    description: 'What went wrong and what to do about it, in the form of RFC 9457.',
    required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
    properties: {
      type: {
        type: 'string',
        format: 'uri-reference',
        description: "Address of the code's page: what happened, and how to fix it.",
      },
      title: { type: 'string', description: 'The same sentence for every problem of this code.' },
      status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
      detail: { type: 'string', description: 'What happened this time.' },
      code: {
        type: 'string',
        enum: problemCodes,
        description: 'The kind of problem. Programs should use the code, not the sentences.',
      },
      request_id: {
        type: 'string',
        format: 'uuid',
        description: 'Names the request in the log of the server; also in `X-Request-Id`.',
      },
      errors: {
        type: 'array',
        description: 'With `invalid_parameter`: what is wrong with each parameter.',
        items: reference('schemas', 'ParameterError'),
      },
    },
  };
}

/** What is wrong with one query parameter. */
export function parameterErrorSchema(): JsonObject {
  return {
    type: 'object',
    required: ['parameter', 'message'],
    properties: {
      parameter: { type: 'string', description: 'Name of the parameter, as it was sent.' },
      message: { type: 'string', description: 'What is expected of it.' },
    },
  };
}

/** One response per status that a problem can have, with an example for each code. */
export function problemResponses(serverUrl: string): JsonObject {
  return Object.fromEntries(
    statuses().map((status) => [responseName(status), problemResponse(status, serverUrl)]),
  );
}

/** References to these responses, by status. Every endpoint has all of them. */
export function problemReferences(): JsonObject {
  return Object.fromEntries(
    statuses().map((status) => [String(status), reference('responses', responseName(status))]),
  );
}

function problemResponse(status: number, serverUrl: string): JsonObject {
  const codes = problemCodes.filter((code) => problems[code].status === status);
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].meaning}`).join('\n\n'),
    headers: headerReferences([
      'X-Request-Id',
      'Cache-Control',
      ...(headersOfStatus[status] ?? []),
    ]),
    content: {
      [mediaType]: {
        schema: reference('schemas', 'Problem'),
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: example(code, serverUrl) }]),
        ),
      },
    },
  };
}

function example(code: ProblemCode, serverUrl: string): Json {
  const { title, status, meaning } = problems[code];
  return {
    type: serverUrl + problemPath(code),
    title,
    status,
    detail: meaning.slice(0, meaning.search(/[.:](\s|$)/)).replaceAll('`', ''),
    code,
    request_id: requestId,
    ...(code === 'invalid_parameter' && {
      errors: [
        {
          parameter: 'stauts',
          message: 'It is not a parameter of this endpoint. Did you mean "status"?',
        },
      ],
    }),
  };
}

function statuses(): number[] {
  return [...new Set(problemCodes.map((code): number => problems[code].status))];
}

function responseName(status: number): string {
  return `Problem${status}`;
}
