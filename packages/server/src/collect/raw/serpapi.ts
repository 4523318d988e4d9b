import { z } from 'zod';
import type { WebPage } from '../engines/engine.ts';
import { count, items, pageShape, part, text } from '../engines/lenient.ts';
import { momentOrText, recordReader } from './raw-response.ts';

const reference = z.object({ link: pageShape.url, title: text, index: count });

/** https://serpapi.com/ai-overview and https://serpapi.com/google-ai-mode-api */
const answerShape = {
  text_blocks: items(z.record(z.string(), z.unknown())),
  references: items(reference),
  reconstructed_markdown: text,
  page_token: text,
};

const page = z.object({
  search_metadata: z.object({ id: text, status: text, created_at: text }),
  search_parameters: part({ q: text, hl: text }),
  ai_overview: part(answerShape),
  ...answerShape,
});

/** Reads a result page of SerpApi: its AI overview, or the answer of Google's AI Mode. */
export const readSerpApi = recordReader(page, (data) => {
  const { q: prompt, hl: language } = data.search_parameters ?? {};
  const { search_metadata: about, ai_overview: overview = data } = data;
  const { text_blocks: blocks, references, page_token: token } = overview;
  const cited = blocks.flatMap(referenceIndexes);
  const inOrder = cited.flatMap((index) => references.filter((each) => each.index === index));
  const pages = (cited.length === 0 ? references : inOrder).map(toPage);
  // SerpApi has such an overview fetched by a second request.
  const isUnread = blocks.length === 0 && token !== undefined;
  return {
    prompt,
    language,
    ...(about.status === 'Error' && { fault: { kind: 'failed' as const } }),
    ...(isUnread && { fault: { kind: 'unfinished' as const, code: 'page_token' } }),
    text: overview.reconstructed_markdown ?? blocks.map(textOf).join('\n\n'),
    sources: pages,
    retrieved: references.map(toPage),
    responseId: about.id ?? null,
    answeredAt: momentOrText(about.created_at),
  };
});

function toPage({ link: url, title }: z.infer<typeof reference>): WebPage {
  return { url, title };
}

const block = z.object({
  title: text,
  snippet: text,
  list: items(z.record(z.string(), z.unknown())),
  text_blocks: items(z.record(z.string(), z.unknown())),
  reference_indexes: items(z.number()),
});

/** The text of blocks. A list or an expandable block contains further blocks. */
function textOf(value: object): string {
  const { title, snippet, list, text_blocks: inner } = block.parse(value);
  const ownText = [title, snippet].flatMap((each) => each ?? []).join(' ');
  const rows = list.map((each) => `- ${textOf(each)}`);
  return [ownText, ...rows, ...inner.map(textOf)].filter((each) => each !== '').join('\n');
}

function referenceIndexes(value: object): number[] {
  const { reference_indexes: indexes, list, text_blocks: inner } = block.parse(value);
  return [...indexes, ...[...list, ...inner].flatMap(referenceIndexes)];
}
