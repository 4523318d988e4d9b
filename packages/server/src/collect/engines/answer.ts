import { parseMoment } from '../../values/time/moment.ts';
import { parseJson } from '../../values/json.ts';
import type { EngineAnswer, EngineFault, ReadResponse, WebPage } from './engine.ts';
import { codeOf, httpFault } from './faults.ts';

/** The parts of an answer that a reader finds in a response. Missing parts are empty or unknown. */
export interface FoundAnswer extends Partial<Omit<EngineAnswer, 'outcome'>> {
  readonly isRefused?: boolean;
}

/**
 * Makes a function that reads a response. `find` gets its JSON, and returns undefined for JSON that
 * is not a response of its engine. Statuses other than 200 and error bodies are failures.
 */
export function reader(find: (value: object) => FoundAnswer | undefined): ReadResponse {
  return (status, headers, body) => {
    const answeredAt = parseEngineMoment(headers['date']);
    if (status < 200 || status > 299) {
      return toAnswer({ answeredAt, fault: httpFault(status, headers, body) });
    }
    const value = parseJson(body);
    if (typeof value !== 'object' || value === null) return unreadableAnswer(answeredAt);
    const content = find(value);
    if (content !== undefined)
      return toAnswer({ ...content, answeredAt: content.answeredAt ?? answeredAt });
    const code = codeOf(value);
    if (code !== undefined) return toAnswer({ answeredAt, fault: { kind: 'failed', code } });
    return unreadableAnswer(answeredAt);
  };
}

function unreadableAnswer(answeredAt: string | null): EngineAnswer {
  return toAnswer({ answeredAt, fault: { kind: 'unreadable' } });
}

/**
 * The longest name of a model that a run may have. A longer name is cut, so that a paid answer is
 * not refused.
 */
const modelLengthMax = 200;

export function toAnswer({ isRefused = false, fault, ...content }: FoundAnswer): EngineAnswer {
  const { text = '', sources = [], retrieved = [], model = null, ...rest } = content;
  return {
    outcome: outcomeOf({ isRefused, fault, text }),
    text,
    searches: null,
    queries: null,
    model: model === null ? null : model.slice(0, modelLengthMax).toWellFormed(),
    tokens: null,
    reportedUsd: null,
    responseId: null,
    answeredAt: null,
    ...rest,
    sources: eachOnce(sources),
    retrieved: eachOnce(retrieved),
    ...(fault !== undefined && { fault }),
  };
}

/** What the engine searched for: none if it did not search, null if the response does not say. */
export function queriesOf({
  searches,
  queries,
}: Pick<EngineAnswer, 'searches' | 'queries'>): readonly string[] | null {
  return queries !== null && (queries.length > 0 || searches === 0) ? queries : null;
}

/** Whether the engine searched, by its queries or their number; null if the response says neither. */
export function searchedOf({
  searches,
  queries,
}: Pick<EngineAnswer, 'searches' | 'queries'>): boolean | null {
  if ((queries?.length ?? 0) > 0) return true;
  return searches === null ? null : searches > 0;
}

function outcomeOf({
  isRefused,
  fault,
  text,
}: {
  isRefused: boolean;
  fault: EngineFault | undefined;
  text: string;
}): EngineAnswer['outcome'] {
  if (isRefused) return 'refused';
  if (fault !== undefined) return 'failed';
  return text.trim() === '' ? 'empty' : 'answered';
}

/** Pages in their order, each address once, with its first title. Titles such as `1` only number citations. */
export function eachOnce(pages: readonly WebPage[]): WebPage[] {
  const titles = new Map<string, string | undefined>();
  for (const { url, title = '' } of pages) {
    const pageTitle = /^\s*\d*\s*$/.test(title) ? undefined : title;
    titles.set(url, titles.get(url) ?? pageTitle);
  }
  return [...titles].map(([url, title]) => (title === undefined ? { url } : { url, title }));
}

/** A time without a zone would be read as this machine's local time, so require a zone. */
const zoned = /(?:GMT|UTC|Z|[+-]\d{2}:?\d{2})$/;

/**
 * Reads a moment in any form that engines use: seconds since 1970, ISO 8601 with a zone, or an HTTP
 * date.
 */
export function parseEngineMoment(value: string | number | undefined): string | null {
  if (typeof value === 'number') {
    return value > 0 && value < 1e11 ? new Date(value * 1000).toISOString() : null;
  }
  if (value === undefined) return null;
  const ms = zoned.test(value) ? Date.parse(value) : Number.NaN;
  return parseMoment(value) ?? (Number.isNaN(ms) ? null : new Date(ms).toISOString());
}
