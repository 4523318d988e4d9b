import { z } from 'zod';
import { reader } from '../engines/answer.ts';
import { count, items, pageShape, part, text, texts } from '../engines/lenient.ts';
import { isError, tasksOf } from './dataforseo.ts';
import { momentOrText } from './raw-response.ts';
import type { RawAnswer, RawResponse } from './raw-response.ts';

const section = z.object({ text, annotations: items(z.object(pageShape)) });
const message = z.object({ type: z.literal('message'), sections: items(section) });

/** https://docs.dataforseo.com/v3/ai_optimization/chat_gpt/llm_responses/live/ */
const task = z
  .object({
    id: text,
    status_code: count,
    path: texts,
    data: part({ se: text, user_prompt: text }),
    result: items(
      z.object({
        model_name: text,
        datetime: text,
        web_search: z.boolean().optional().catch(undefined),
        fan_out_queries: texts,
        items: items(message),
      }),
    ),
  })
  .refine(({ result, status_code: code = 0 }) => result.length > 0 || isError(code));

/** DataForSEO asks the engines' APIs here, not their apps. */
const engines: Readonly<Record<string, string>> = {
  chat_gpt: 'chatgpt_api',
  claude: 'claude_api',
  gemini: 'gemini_api',
  perplexity: 'perplexity_api',
};

/** Reads the answers in a response of DataForSEO's LLM Responses, one per task. */
export function readLlmResponses({ status, headers, body }: RawResponse): RawAnswer[] {
  return tasksOf(body).map((each) => {
    const { data, path = [] } = task.safeParse(each).data ?? {};
    const engine = [data?.se, ...path].find(
      (name) => name !== undefined && Object.hasOwn(engines, name),
    );
    return {
      answer: readTask(status, headers, JSON.stringify(each) ?? ''),
      prompt: data?.user_prompt,
      engine: engine === undefined ? undefined : engines[engine],
    };
  });
}

const readTask = reader((value) => {
  const { data } = task.safeParse(value);
  if (data === undefined) return undefined;
  const { id, status_code: code = 0, result } = data;
  const [answer] = result;
  const sections = answer?.items.flatMap(({ sections: own }) => own) ?? [];
  return {
    fault: isError(code) ? { kind: 'failed', code: String(code) } : undefined,
    text: sections.map((each) => each.text ?? '').join('\n\n'),
    sources: sections.flatMap(({ annotations }) => annotations),
    searches: answer?.web_search === false ? 0 : null,
    queries: answer?.fan_out_queries ?? [],
    model: answer?.model_name ?? null,
    responseId: id ?? null,
    answeredAt: momentOrText(answer?.datetime),
  };
});
