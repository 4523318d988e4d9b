import { z } from 'zod';
import { parseEngineMoment } from './answer.ts';
import type { FoundAnswer } from './answer.ts';
import { codeOf } from './faults.ts';
import { citation, count, items, pageShape, part, text, texts } from './lenient.ts';

/** The first version of the API has the address of a citation in `source`. */
const annotation = z.union([
  citation,
  z.object({ source: pageShape.url, title: text }).transform(({ source: url, title }) => ({
    url,
    title,
  })),
]);

const content = z.object({ type: text, text, annotations: items(annotation) });

const step = z.object({
  type: text,
  content: items(content),
  arguments: part({ queries: texts }),
  result: items(z.object(pageShape)),
});

const interaction = z.object({
  id: text,
  model: text,
  status: text,
  created: text,
  error: z.unknown().optional(),
  steps: z.array(z.unknown()).pipe(items(step)),
  usage: part({
    total_input_tokens: count,
    total_cached_tokens: count,
    total_output_tokens: count,
    total_thought_tokens: count,
  }),
});

const outputList = z.object({ outputs: z.array(z.unknown()) });

/** Reads Google's Interactions format; undefined for JSON without its list `steps`. */
export function readGeminiInteraction(value: object): FoundAnswer | undefined {
  // The first version of the API has one list of texts and searches instead of steps.
  const { data: first } = outputList.safeParse(value);
  const only = first && [...first.outputs, { type: 'model_output', content: first.outputs }];
  const parsed = interaction.safeParse({ steps: only, ...value });
  if (!parsed.success) return undefined;
  const { steps, usage, status = 'completed', error, ...rest } = parsed.data;
  const outputs = steps.filter(({ type }) => type === 'model_output');
  const final = outputs.findLast((each) => textOf(each) !== '');
  const queries = steps.flatMap((each) => each.arguments?.queries ?? []);
  return {
    text: textOf(final),
    sources: (final?.content ?? []).flatMap(({ annotations }) => annotations),
    retrieved: steps.flatMap(({ result }) => result),
    searches: queries.length,
    queries,
    model: rest.model ?? null,
    tokens:
      usage?.total_input_tokens === undefined
        ? null
        : {
            input: usage.total_input_tokens,
            cached: usage.total_cached_tokens ?? 0,
            output: (usage.total_output_tokens ?? 0) + (usage.total_thought_tokens ?? 0),
          },
    responseId: rest.id ?? null,
    answeredAt: parseEngineMoment(rest.created),
    ...faultOf(status, error),
  };
}

const endedBadly = new Set(['failed', 'cancelled', 'in_progress', 'queued', 'requires_action']);

function faultOf(status: string, error: unknown): Pick<FoundAnswer, 'fault'> {
  const code = codeOf({ error });
  if (code !== undefined) return { fault: { kind: 'failed', code } };
  if (status === 'incomplete') return { fault: { kind: 'truncated', code: status } };
  return endedBadly.has(status) ? { fault: { kind: 'failed', code: status } } : {};
}

function textOf(output: z.infer<typeof step> | undefined): string {
  return (output?.content ?? []).map((each) => (each.type === 'text' ? each.text : '')).join('');
}
