import { z } from 'zod';
import { isProblemCode } from '@overheard/contract';
import type { Endpoint, ProblemCode } from '@overheard/contract';
import { Failure } from '../failure.ts';

/** About 50,000 detections: more would stall the program while it is parsed, and fill its memory. */
const megabytesMax = 12;
const problemBytesMax = 64 * 1024;

/** Reads a response's body as JSON. Throws if it is not JSON, or too long to use. */
export async function readJson(response: Response, address: string): Promise<unknown> {
  const text = await readText(response, megabytesMax * 1024 * 1024);
  if (text === undefined) throw new Failure('too_large', { megabytesMax });
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('not_json', { address });
  }
}

const problemSchema = z.object({
  code: z.string().optional().catch(undefined),
  request_id: z.guid().optional().catch(undefined),
  errors: z.array(z.object({ parameter: z.string() })).catch([]),
});

/** What we may repeat of a problem document. */
interface ReadProblem {
  readonly problem?: ProblemCode | undefined;
  readonly requestId?: string | undefined;
  /** Those of the endpoint's parameters that were refused. */
  readonly parameters?: readonly string[];
}

/**
 * Reads a code of the contract's list, a harmless id, and names of the endpoint's parameters. Nothing
 * if the document does not come whole: the status has said the most important already.
 */
export async function readProblem(response: Response, { query }: Endpoint): Promise<ReadProblem> {
  try {
    const text = await readText(response, problemBytesMax);
    const { code, request_id: requestId, errors } = problemSchema.parse(JSON.parse(text ?? ''));
    return {
      problem: code !== undefined && isProblemCode(code) ? code : undefined,
      requestId,
      parameters: Object.keys(query.shape).filter((name) =>
        errors.some(({ parameter }) => parameter === name),
      ),
    };
  } catch {
    return {};
  }
}

/** The body as text, or undefined if it is longer than allowed: the rest is not read then. */
async function readText(response: Response, max: number): Promise<string | undefined> {
  if (response.body === null) return '';
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const body: AsyncIterable<Uint8Array> = response.body;
  for await (const part of body) {
    bytes += part.byteLength;
    // Leaving the loop cancels the body.
    if (bytes > max) return undefined;
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}
