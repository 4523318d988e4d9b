import { z } from 'zod';
import { parseJson } from '../../values/json.ts';
import { momentOf, reader } from '../engines/answer.ts';
import { count, items, pageShape, part, text } from '../engines/lenient.ts';
import type { RawAnswer, RawResponse } from './raw-response.ts';

const overview = z.object({
  type: z.literal('ai_overview'),
  markdown: text,
  references: items(z.object(pageShape)),
});

/** A task asks about one keyword. */
const task = z
  .object({
    id: text,
    status_code: count,
    data: part({ keyword: text, language_code: text }),
    result: items(
      z.object({ keyword: text, language_code: text, datetime: text, items: items(overview) }),
    ),
  })
  .refine(({ result, status_code: code = 0 }) => result.length > 0 || isError(code));

const tasks = z.object({ tasks: z.array(z.unknown()) });

/**
 * The AI overviews in a response of DataForSEO, one of each task. A result page without an overview
 * is an empty answer.
 */
export function readAiOverviews({ status, headers, body }: RawResponse): RawAnswer[] {
  const value = parseJson(body);
  const all = tasks.safeParse(value).data?.tasks ?? [value];
  return all.map((each) => {
    const { data } = task.safeParse(each);
    const result = data?.result[0];
    return {
      answer: readTask(status, headers, JSON.stringify(each) ?? ''),
      prompt: result?.keyword ?? data?.data?.keyword,
      language: result?.language_code ?? data?.data?.language_code,
    };
  });
}

const readTask = reader((value) => {
  const { data } = task.safeParse(value);
  if (data === undefined) return undefined;
  const { id, status_code: code = 0, result } = data;
  const shown = result[0]?.items ?? [];
  return {
    fault: isError(code) ? { kind: 'failed', code: String(code) } : undefined,
    text: shown.map(({ markdown }) => markdown ?? '').join('\n\n'),
    sources: shown.flatMap(({ references }) => references),
    responseId: id ?? null,
    answeredAt: momentOf(result[0]?.datetime),
  };
});

/** https://docs.dataforseo.com/v3/appendix/errors/ */
function isError(code: number): boolean {
  return code >= 40_000;
}
