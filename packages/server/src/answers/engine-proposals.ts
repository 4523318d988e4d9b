import { z } from 'zod';
import { parseJson } from '../values/json.ts';
import { printable } from '../values/printable.ts';

/** What an engine proposes for a new workspace. Foreign text: it is shown, and stored only once ticked. */
export type EngineProposals = z.infer<typeof proposalsSchema>;

const lengthMax = 200;
const counts = { spellings: 8, competitors: 10, questions: 30 } as const;
const languages = new Intl.DisplayNames(['en'], { type: 'language' });

/** The question that asks an engine for competitors, spellings and questions of buyers. */
export function proposalQuestion({
  brand,
  domain,
  language,
}: {
  brand: string;
  domain: string | undefined;
  /** BCP 47. */
  language: string;
}): string {
  const site = domain === undefined ? '' : ` (${domain})`;
  return `I work for ${JSON.stringify(brand)}${site} and want to know what buyers ask. Reply with one JSON object and nothing else:
{"spellings": [other ways in which people write the name, at most 5],
 "competitors": [{"name": "...", "domain": "..."}, the 6 that buyers compare it with most],
 "questions": [{"topic": "...", "text": "..."}, 20 questions in ${languages.of(language) ?? language} that buyers ask before they choose, in 4 topics, none of which names a company]}`;
}

const word = z.string().transform((text) => printable(text.trim(), { lengthMax }));
const lenientList = <Item>(item: z.ZodType<Item>, countMax: number) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items) =>
      items
        .flatMap((each) => {
          const parsed = item.safeParse(each);
          return parsed.success ? [parsed.data] : [];
        })
        .slice(0, countMax),
    );

const proposalsSchema = z.object({
  /** Other spellings of the brand. */
  spellings: lenientList(word, counts.spellings),
  competitors: lenientList(z.object({ name: word, domain: word.catch('') }), counts.competitors),
  questions: lenientList(z.object({ topic: word.catch(''), text: word }), counts.questions),
});

/**
 * Reads the proposals in an engine's answer, with text around them or without. Leaves out what cannot be
 * used. Undefined if the answer has no proposal.
 */
export function readProposals(answer: string): EngineProposals | undefined {
  const json = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
  const { data } = proposalsSchema.safeParse(parseJson(json));
  if (data === undefined) return undefined;
  const isText = (text: string) => text !== '' && !text.includes('\u{FFFD}');
  const proposals = {
    spellings: [...new Set(data.spellings.filter(isText))],
    competitors: data.competitors.filter(({ name }) => isText(name)),
    questions: data.questions.filter(({ text }) => isText(text)),
  };
  return Object.values(proposals).every((list) => list.length === 0) ? undefined : proposals;
}
