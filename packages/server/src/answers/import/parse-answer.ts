import { engineSlugPattern, outcome as outcomes, uuidPattern } from '@overheard/contract';
import type { Outcome } from '@overheard/contract';
import type { Fault } from '../../rows/fault.ts';
import { canonicalTag, completeLanguage, hasRegion } from '../../values/language-tag.ts';
import { parseLocalMoment, yearFirst } from '../../values/time/local-moment.ts';
import type { DateOrder } from '../../values/time/local-moment.ts';
import { parseDay, parseMoment } from '../../values/time/moment.ts';
import type { Row } from '../../rows/row.ts';
import { contentId, promptId } from '../../values/uuid.ts';
import type { Answer, AnswerPrompt } from './answer.ts';
import { parseQueries, parseSources } from './parse-sources.ts';

/** The fields of an export, in the documented order. */
export const exportedFields = [
  'id',
  'prompt_id',
  'prompt',
  'language',
  'locale',
  'engine',
  'model',
  'run_at',
  'outcome',
  'answer',
  'sources',
  'queries',
] as const;

/**
 * The fields that a row of answers may have. One of them switches paid asking of its prompt on or
 * off.
 */
export const answerFields = [...exportedFields, 'collect'] as const;

/** The fields of a reading's row, which Overheard itself writes. */
export const readingFields = [...exportedFields, 'cohort', 'searched'] as const;

export type AnswerField = (typeof answerFields)[number];

/** The longest accepted answer, in code units. */
export const answerLengthMax = 16 * 1024 * 1024;
const promptLengthMax = 100_000;
/** Machines' clocks differ by less than this. A run further in the future is a mistake. */
const aheadMaxMs = 5 * 60_000;

export interface ParseContext {
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** The zone of times without one. If undefined, such times are refused. */
  readonly timeZone?: string | undefined;
  /** How dates are written that do not begin with their year. Without it, they are refused. */
  readonly dates?: DateOrder | undefined;
  /** Called for each time without a zone: whether the zone's clocks show it twice. */
  readonly onLocal?: (isAmbiguous: boolean) => void;
}

/** Parses a row to an answer in normal form, or returns all its faults. */
export function parseAnswer(
  { line, value }: Row,
  context: ParseContext,
): { answer: Answer } | { faults: Fault[] } {
  const faults: Fault[] = [];
  const refuse = (field: AnswerField, expected: string): undefined => {
    faults.push({ line, field, expected, found: value[field] });
    return undefined;
  };
  const read = { value, refuse };
  const id = readId(read, 'id');
  const givenPromptId = readId(read, 'prompt_id');
  const prompt = readPrompt(read);
  const engine = readEngine(read);
  const runAt = readRunAt(read, context);
  const answer = readText(read, 'answer', { lengthMax: answerLengthMax }) ?? '';
  const model = readText(read, 'model', { lengthMax: 200 }) ?? null;
  const outcome = readOutcome(read, answer);
  const collect = readSwitch(read, 'collect');
  // Only rows of readings may have it.
  const cohort = typeof value['cohort'] === 'string' ? value['cohort'] : undefined;
  const sources = parseSources(value['sources'], (expected) => refuse('sources', expected));
  const queries = parseQueries(value['queries'], (expected) => refuse('queries', expected));
  // Only rows of readings and of raw responses may have it.
  const searched =
    typeof value['searched'] === 'boolean' ? value['searched'] : queries && queries.length > 0;
  if ((value['prompt_id'] ?? value['prompt'] ?? undefined) === undefined) {
    refuse('prompt', 'the text that was asked, or a prompt_id');
  }
  if (faults.length > 0 || engine === undefined || runAt === undefined) return { faults };
  const ofPrompt = givenPromptId ?? (prompt === undefined ? '' : promptId(prompt));
  const content = { promptId: ofPrompt, engine, model, runAt: runAt.moment, answer };
  const isDayAlone = runAt.isDayAlone;
  return {
    answer: {
      id: id ?? contentRunId(content),
      ...content,
      cohort,
      isDayAlone,
      prompt,
      collect,
      outcome,
      sources,
      queries,
      searched,
    },
  };
}

/** The id of a run whose row has none. */
export function contentRunId({
  promptId: ofPrompt,
  engine,
  model,
  runAt,
  answer,
}: Pick<Answer, 'promptId' | 'engine' | 'model' | 'runAt' | 'answer'>): string {
  return contentId('run', [ofPrompt, engine, model, runAt, answer]);
}

interface RowContext {
  readonly value: Row['value'];
  readonly refuse: (field: AnswerField, expected: string) => undefined;
}

function readText(
  { value, refuse }: RowContext,
  field: AnswerField,
  { lengthMax }: { lengthMax: number },
): string | undefined {
  const text = value[field] ?? undefined;
  if (text === undefined) return undefined;
  if (typeof text !== 'string') return refuse(field, 'text');
  return text.length > lengthMax ? refuse(field, `at most ${lengthMax} characters`) : text;
}

function readId(reading: RowContext, field: 'id' | 'prompt_id'): string | undefined {
  const text = readText(reading, field, { lengthMax: 100 })?.toLowerCase();
  if (text === undefined || uuidPattern.test(text)) return text;
  return reading.refuse(field, 'a UUID; leave it out to have one made from the content');
}

function readPrompt(reading: RowContext): AnswerPrompt | undefined {
  const writtenText = readText(reading, 'prompt', { lengthMax: promptLengthMax });
  const language = readTag(reading, 'language');
  const locale = readTag(reading, 'locale');
  if (writtenText === undefined) return undefined;
  const text = writtenText.normalize('NFC').trim();
  if (text === '') return reading.refuse('prompt', 'the text that was asked');
  return { text, ...completeLanguage(language, locale) };
}

function readSwitch({ value, refuse }: RowContext, field: 'collect'): boolean | undefined {
  const cell = value[field] ?? undefined;
  if (cell === undefined) return undefined;
  return cell === 'on' || (cell === 'off' ? false : refuse(field, 'on or off'));
}

function readTag(reading: RowContext, field: 'language' | 'locale'): string | undefined {
  const text = readText(reading, field, { lengthMax: 100 });
  if (text === undefined) return undefined;
  const tag = canonicalTag(text);
  if (tag === undefined)
    return reading.refuse(field, 'a language tag of BCP 47 such as en or en-US');
  if (field === 'locale' && !hasRegion(tag)) {
    return reading.refuse(field, 'a locale of BCP 47 with its region, such as en-US');
  }
  return tag;
}

function readEngine(reading: RowContext): string | undefined {
  const text = readText(reading, 'engine', { lengthMax: 200 });
  if (text !== undefined && engineSlugPattern.test(text)) return text;
  return reading.refuse('engine', 'a lower-case slug such as chatgpt or perplexity_api');
}

function readRunAt(
  reading: RowContext,
  { clock, timeZone, dates, onLocal = () => {} }: ParseContext,
): { moment: string; isDayAlone: boolean } | undefined {
  const written = readText(reading, 'run_at', { lengthMax: 100 }) ?? '';
  const text = dates === undefined ? written : yearFirst(written.trim(), dates);
  const local = timeZone === undefined ? undefined : parseLocalMoment(text.trim(), timeZone);
  if (local === 'skipped') {
    return reading.refuse('run_at', `a time that the clocks of ${timeZone} show: they skip this`);
  }
  const moment = local?.moment ?? parseMoment(text);
  if (moment === undefined) {
    const form = 'a moment with its zone such as 2026-11-20T12:34:56Z';
    return reading.refuse(
      'run_at',
      timeZone === undefined
        ? `${form}; with --timezone also 2026-11-20 12:34, or 2026-11-20`
        : `${form}, or 2026-11-20 12:34, or 2026-11-20`,
    );
  }
  const isDayAlone = local !== undefined && parseDay(text.trim()) !== undefined;
  if (local !== undefined && !isDayAlone) onLocal(local.isAmbiguous);
  if (Date.parse(moment) > clock() + aheadMaxMs) {
    return reading.refuse('run_at', 'a moment that has been');
  }
  return { moment, isDayAlone };
}

/** A run whose answer has no word is empty. A refused or failed run stays as it is. */
function readOutcome(reading: RowContext, answer: string): Outcome {
  const text = readText(reading, 'outcome', { lengthMax: 100 });
  const outcome = outcomes.options.find((each) => each === text);
  if (text !== undefined && outcome === undefined) {
    reading.refuse('outcome', `one of ${outcomes.options.join(', ')}`);
  }
  if (outcome !== undefined && outcome !== 'answered') return outcome;
  return answer.trim() === '' ? 'empty' : 'answered';
}
