import { engines } from '../../../collect/engines/all-engines.ts';
import { integer } from '../../../config.ts';
import type { OptionSpec } from '../../../config.ts';
import { choice, flag, text } from '../../define/options.ts';

const kinds = engines.map(({ slug }) => slug);

/** Options for how an engine is asked. */
export const engineOptions = {
  kind: choice('<kind>', kinds, 'its API (default: its name, else openai_compatible)'),
  model: text('<name>', "the engine's model (default: see below)"),
  baseUrl: text('<url>', "address of its API (default: the vendor's)"),
  keyVariable: text('<name>', 'environment variable that holds its key (default: see below)'),
  search: choice(
    '<when>',
    ['auto', 'required'],
    'whether it must search before each answer, if its API can be told so (default: auto)',
  ),
  // After `search`, because the first of the two decides what is so without either.
  noSearch: flag('do not let it search the web'),
  acceptGroundingTerms: text(
    '<name>',
    "let gemini_api search: this person accepts Google's terms for grounding with Google Search",
  ),
  searches: wholeNumber('most searches of one answer, if the API accepts a limit (default: 3)', {
    min: 1,
    max: 50,
  }),
  outputTokens: wholeNumber('most tokens of one answer, including thoughts (default: 8000)', {
    min: 16,
    max: 1_000_000,
  }),
};

function wholeNumber(
  summary: string,
  bounds: { min: number; max: number },
): OptionSpec<number | undefined> {
  return { value: '<number>', summary, parse: integer(bounds) };
}

export const engineHelp = `
Kinds, their default models and the variables of their keys:
${engines
  .map(({ slug, defaults: { model = '--model and --base-url', keyVariable } }) =>
    [`  ${slug.padEnd(18)}`, model.padEnd(23), keyVariable].join(' '),
  )
  .join('\n')}

The key is read from the environment, and printed and stored nowhere. An operator may paste it on the
page Engines instead, where it is stored encrypted. openai_compatible is any server that
speaks Chat Completions, such as Ollama or vLLM: only it may be at an address that is not public, and needs
no key. Gemini searches only if someone accepts Google's terms, which forbid storing and analysing
its search results; without search it needs no consent.`;
