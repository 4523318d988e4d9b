import { canonicalTag, hasRegion } from '../../values/language-tag.ts';
import { parsedText } from '../define/options.ts';

/** An option for the locale of prompts, in canonical form. */
export function localeOption(summary: string) {
  return parsedText('<tag>', summary, {
    parse: (text) => {
      const tag = canonicalTag(text);
      return tag !== undefined && hasRegion(tag) ? tag : undefined;
    },
    expected: 'It must be a language with its region, such as en-US.',
  });
}
