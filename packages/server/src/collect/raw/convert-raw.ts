import type { ConvertRow } from '../../answers/import/read-answers.ts';
import { parseMoment } from '../../values/time/moment.ts';
import { contentId } from '../../values/uuid.ts';
import { queriesOf, searchedOf } from '../engines/answer.ts';
import type { EngineAnswer } from '../engines/engine.ts';
import { askedPrompts } from './asked-prompt.ts';
import type { RawFormat } from './raw-formats.ts';
import type { RawAnswer } from './raw-response.ts';
import { rawResponse } from './raw-response.ts';

/** Values from the command line, for responses that lack them. */
export interface RawDefaults {
  readonly prompt?: string | undefined;
  readonly locale?: string | undefined;
  readonly engine?: string | undefined;
  /** `2026-11-20T12:34:56.789Z` */
  readonly runAt?: string | undefined;
}

type Values = Parameters<ConvertRow>[0];

/** Makes a converter from raw responses of one format to rows of answers, for `importAnswers`. */
export function convertRaw({ name, engine, read }: RawFormat, defaults: RawDefaults): ConvertRow {
  let open: EngineAnswer | undefined;
  return (value, refuse) => {
    const response = rawResponse(value);
    const prompts = askedPrompts(response.request);
    if (prompts.length > 1) {
      refuse('request', 'one question; this request is a conversation of several');
      return [];
    }
    const answers = read(response);
    const [first] = answers;
    const isContinued = open !== undefined && open.responseId === first?.answer.responseId;
    open = first?.isOpen === true ? first.answer : undefined;
    if (isContinued || answers.some(({ answer }) => answer.fault?.kind === 'unreadable')) {
      const what =
        isContinued || streamed.test(response.body)
          ? 'a whole response: this is a stream of events, so ask without "stream"'
          : `a response in the format ${name} (--as names another format)`;
      refuse('response', what);
      return [];
    }
    return answers.flatMap((each) => {
      const rowDefaults = { ...defaults, engine: each.engine ?? defaults.engine ?? engine };
      const row = toRow(each, { value, askedPrompt: prompts[0], defaults: rowDefaults });
      const missing = missingFields.find(([field]) => !Object.hasOwn(row, field));
      if (missing === undefined) return [row];
      refuse(...missing);
      return [];
    });
  };
}

/** Server-sent events, or one part of a chat completion that was streamed. */
const streamed = /^\s*(?:(?:event|data|id|retry)?:|\{.{0,200}"object": ?"chat\.completion\.chunk")/;

/** Fields that a response may lack, and what a person can do about each. */
const missingFields: ReadonlyArray<readonly [field: string, expected: string]> = [
  [
    'prompt',
    'the text that was asked. This response does not repeat it: give --prompt, or write {"prompt": "...", "response": ...}',
  ],
  [
    'run_at',
    'when it was asked. This response does not have it: give --at, or write "run_at" beside it',
  ],
  [
    'engine',
    'the slug of the engine that answered. Overheard does not know the one that this response names, if any: give --engine, such as openrouter_api',
  ],
];

interface RowContext {
  readonly value: Values;
  readonly askedPrompt: string | undefined;
  readonly defaults: RawDefaults;
}

/**
 * Makes a row in our format. A field beside the response takes precedence over the same fact in the
 * response.
 */
function toRow(
  { answer, prompt, language }: RawAnswer,
  { value, askedPrompt, defaults }: RowContext,
): Values {
  const { model, responseId, text, outcome, sources } = answer;
  const fields = {
    prompt: textField('prompt') ?? askedPrompt ?? prompt ?? defaults.prompt,
    language: textField('language') ?? language,
    locale: textField('locale') ?? defaults.locale,
    engine: textField('engine') ?? defaults.engine,
    run_at: textField('run_at') ?? answer.answeredAt ?? defaults.runAt,
  };
  const { prompt: question = '', run_at: runAt = '', engine = '', locale = '' } = fields;
  // Some servers number their responses and start again at 1, so the number alone isn't an id.
  const parts = [engine, model, responseId, parseMoment(runAt) ?? runAt, question, locale, text];
  return Object.fromEntries(
    Object.entries({
      ...fields,
      id: responseId === null ? undefined : contentId('run', parts),
      model,
      outcome,
      answer: text,
      sources,
      queries: queriesOf(answer),
      searched: searchedOf(answer),
    }).filter(([, each]) => each !== undefined),
  );

  function textField(field: string): string | undefined {
    const content = value[field];
    return typeof content === 'string' ? content : undefined;
  }
}
