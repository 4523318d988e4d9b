import { encode } from 'gpt-tokenizer/encoding/o200k_base';

/** What a text costs a model, by the tokenizer that is public. */
export function countTokens(text: string): number {
  return encode(text).length;
}
