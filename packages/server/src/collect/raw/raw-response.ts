import { z } from 'zod';
import { parseJson } from '../../values/json.ts';
import { parseEngineMoment, reader } from '../engines/answer.ts';
import type { FoundAnswer } from '../engines/answer.ts';
import type { EngineAnswer, ResponseHeaders } from '../engines/engine.ts';

/** An original response, and its request if it is known. */
export interface RawResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: string;
  /** The body of the request, parsed. */
  readonly request: unknown;
}

/** An answer in a raw response, with the facts about the question that the response repeats. */
export interface RawAnswer {
  readonly answer: EngineAnswer;
  readonly prompt?: string | undefined;
  readonly language?: string | undefined;
  /** The slug of the engine that answered. */
  readonly engine?: string | undefined;
  /** Whether the answer may be incomplete, because the response may be part of a stream. */
  readonly isOpen?: boolean;
}

/**
 * Makes the reader of a vendor's responses. Each record in `list` is one answer, or the response itself
 * if it has no such list.
 */
export function recordReader<Schema extends z.ZodType>(
  schema: Schema,
  find: (data: z.infer<Schema>) => FoundAnswer & Omit<RawAnswer, 'answer' | 'isOpen'>,
  list?: string,
): (response: RawResponse) => RawAnswer[] {
  return ({ status, headers, body }) => {
    const value = parseJson(body);
    const lists = z.object({ [list ?? '']: z.array(z.unknown()) });
    const all = lists.safeParse(value).data?.[list ?? ''] ?? [value];
    return all.map((each) => {
      const { data, success } = schema.safeParse(each);
      const { prompt, language, engine, ...found } = success ? find(data) : {};
      const read = reader(() => (success ? found : undefined));
      const text = list === undefined ? body : (JSON.stringify(each) ?? '');
      return { answer: read(status, headers, text), prompt, language, engine };
    });
  };
}

/**
 * A moment in normal form, or the unchanged text if it has no zone. The import then adds the zone.
 */
export function momentOrText(value: string | undefined): string | null {
  return parseEngineMoment(value) ?? value ?? null;
}

const record = z.record(z.string(), z.unknown());

/**
 * A response with its status and headers, as clients and batch files store it, or only its body.
 */
const envelope = z.looseObject({
  status: z.number().optional().catch(undefined),
  status_code: z.number().optional().catch(undefined),
  headers: record.catch({}),
  body: z.union([z.string(), record]).optional().catch(undefined),
  message: record.optional().catch(undefined),
});

/** A result of xAI's batches, whose responses are chat completions. */
const batchResult = z.object({
  response: z.object({ chat_get_completion: record }).optional(),
  error: z.unknown().optional(),
});

/**
 * Finds the response in one object of a file: the object itself, or its field `response` or, in
 * batches, `result` (Anthropic) or `batch_result` (xAI). A field `request` may be beside it.
 */
export function rawResponse(value: Readonly<Record<string, unknown>>): RawResponse {
  const { data: batch } = batchResult.safeParse(value['batch_result']);
  const responseValue =
    value['response'] ?? value['result'] ?? batch?.response?.chat_get_completion ?? batch;
  const request = bodyOf(value['request']);
  const { data } = envelope.safeParse(responseValue);
  if (data === undefined) {
    const body = typeof responseValue === 'string' ? responseValue : JSON.stringify(value);
    return { status: 200, headers: {}, body, request };
  }
  const body = data.body ?? data.message ?? responseValue;
  return {
    status: data.status ?? data.status_code ?? 200,
    headers: Object.fromEntries(
      Object.entries(data.headers).map(([name, each]) => [name.toLowerCase(), String(each)]),
    ),
    body: typeof body === 'string' ? body : JSON.stringify(body),
    request,
  };
}

function bodyOf(request: unknown): unknown {
  const sentRequest = typeof request === 'string' ? parseJson(request) : request;
  const { data } = z.object({ body: z.unknown() }).safeParse(sentRequest);
  const body = data?.body ?? sentRequest;
  return typeof body === 'string' ? parseJson(body) : body;
}
