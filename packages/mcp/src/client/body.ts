import { z } from 'zod';
import { isProblemCode } from '@overheard/contract';
import type { ProblemCode } from '@overheard/contract';
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
});

/**
 * What we may repeat of a problem document: a code of the contract's list and a harmless id. None
 * if the document does not come whole: the status has said the most important already.
 */
export async function readProblem(
  response: Response,
): Promise<{ readonly problem: ProblemCode | undefined; readonly requestId: string | undefined }> {
  try {
    const text = await readText(response, problemBytesMax);
    const { code, request_id: requestId } = problemSchema.parse(JSON.parse(text ?? ''));
    return { problem: code !== undefined && isProblemCode(code) ? code : undefined, requestId };
  } catch {
    return { problem: undefined, requestId: undefined };
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
