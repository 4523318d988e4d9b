import { z } from 'zod';
import { isProblemCode } from '@overheard/contract';
import type { Endpoint } from '@overheard/contract';
import { textParts } from '@overheard/tools';

const problemMegabytesMax = 1 / 16;

const problemSchema = z.object({
  code: z.string().optional().catch(undefined),
  request_id: z.guid().optional().catch(undefined),
  errors: z.array(z.object({ parameter: z.string() })).catch([]),
});

/**
 * Reads a code of the contract's list, a harmless id, and names of the endpoint's parameters.
 * Returns nothing if the document is incomplete, because the status already shows the most
 * important fact.
 */
export async function readProblem(response: Response, { query }: Endpoint) {
  try {
    let text = '';
    for await (const part of textParts(response.body, problemMegabytesMax)) text += part;
    const { code, request_id: requestId, errors } = problemSchema.parse(JSON.parse(text));
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
