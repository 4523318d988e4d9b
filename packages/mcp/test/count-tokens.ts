import { getWasmTokenizer } from '@bpinternal/thicktoken';

const tokenizer = await getWasmTokenizer();

/** What a text costs a model, by a public tokenizer (cl100k). */
export function countTokens(text: string): number {
  return tokenizer.count(text);
}
