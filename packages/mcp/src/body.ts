import { z } from 'zod';
import { isProblemCode } from '@overheard/contract';
import type { ProblemCode } from '@overheard/contract';
import { Failure } from './failure.ts';

const bytesMax = 128 * 1024 * 1024;
const problemBytesMax = 64 * 1024;

/** The body of an answer, parsed. Throws if it is not JSON, or longer than anything that we can use. */
export async function readJson(response: Response, address: string): Promise<unknown> {
  const text = await readText(response, bytesMax);
  if (text === undefined) throw new Failure('too_large');
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

/** What we may repeat of a problem document: a code of the contract's list and a harmless id. */
export async function readProblem(
  response: Response,
): Promise<{ readonly problem: ProblemCode | undefined; readonly requestId: string | undefined }> {
  const text = await readText(response, problemBytesMax);
  try {
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
