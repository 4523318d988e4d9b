import { z } from 'zod';
import { count, items, pageShape, part, text, texts } from '../engines/lenient.ts';
import { faultOf, isError } from './dataforseo.ts';
import { momentOrText, recordReader } from './raw-response.ts';

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
export const readLlmResponses = recordReader(task, readTask, 'tasks');

function readTask({ id, status_code: code = 0, path, data, result }: z.infer<typeof task>) {
  const engine = [data?.se, ...path].find(
    (name) => name !== undefined && Object.hasOwn(engines, name),
  );
  const [answer] = result;
  const sections = answer?.items.flatMap(({ sections: own }) => own) ?? [];
  return {
    prompt: data?.user_prompt,
    engine: engine === undefined ? undefined : engines[engine],
    ...faultOf(code),
    text: sections.map((each) => each.text ?? '').join('\n\n'),
    sources: sections.flatMap(({ annotations }) => annotations),
    searches: answer?.web_search === false ? 0 : null,
    queries: answer?.fan_out_queries ?? [],
    model: answer?.model_name ?? null,
    responseId: id ?? null,
    answeredAt: momentOrText(answer?.datetime),
  };
}
