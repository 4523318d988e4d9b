import type { Outcome } from '@overheard/contract';

/** One question, exactly as in the prompt. */
export interface Question {
  readonly text: string;
  /** BCP 47 with a region. The region is sent to engines that accept a place. */
  readonly locale: string;
}

/** The operator's settings for questions to an engine. */
export interface Target {
  /** The address of the API, without a slash at its end. */
  readonly baseUrl: string;
  readonly model: string;
  /** Whether the engine may search the web. */
  readonly hasSearch: boolean;
  /** Whether it must search before each answer, if its API can be told so. */
  readonly requiresSearch: boolean;
  /**
   * Most searches per answer. Engines that accept a limit get it; for the others it only bounds the
   * cost.
   */
  readonly searchesMax: number;
  readonly outputTokensMax: number;
}

/** A request without the key, so that it can be stored as evidence. */
export interface EngineRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A web page as an engine names it. */
export interface WebPage {
  readonly url: string;
  readonly title?: string | undefined;
}

export interface TokenUse {
  /** All tokens that the model read, including cached ones. */
  readonly input: number;
  /** Input tokens that are billed as cached. */
  readonly cached: number;
  /** All tokens that the model wrote, including its thoughts. */
  readonly output: number;
}

/**
 * Why there is no answer to count. Only the first four are certainly not billed: `unreached`: there
 * was no connection, so nothing was sent. `wait`: too many requests, or overloaded; the same
 * question may be sent again after `waitMs`. `switch_off`: key, quota or permission; the operator
 * has to change something first. `rejected`: this request is wrong and would be refused again.
 * `unclear`: the server failed, or the response is incomplete; perhaps billed, so never sent again.
 * `unreadable`: this version does not know the form of the response, which is stored to be read
 * again after an upgrade. `truncated`: the answer was cut off at a limit. `unfinished`: the answer
 * was paused. `failed`: the engine reports a failure.
 */
export interface EngineFault {
  readonly kind:
    | 'unreached'
    | 'wait'
    | 'switch_off'
    | 'rejected'
    | 'unclear'
    | 'unreadable'
    | 'truncated'
    | 'unfinished'
    | 'failed';
  /** The engine's own code for the fault, never its words. */
  readonly code?: string | undefined;
  /** How long the engine asks clients to wait. */
  readonly waitMs?: number | undefined;
}

/** What an engine responded, in normal form. */
export interface EngineAnswer {
  readonly outcome: Outcome;
  /** The text of only the final message. */
  readonly text: string;
  /** The cited pages in the order of their first citation, each once. */
  readonly sources: readonly WebPage[];
  /** The pages that the engine read, cited ones included, each once. */
  readonly retrieved: readonly WebPage[];
  /** Number of searches; null if the response does not have it. */
  readonly searches: number | null;
  /** Null if responses of this kind never have them. */
  readonly queries: readonly string[] | null;
  /** The model that really answered. */
  readonly model: string | null;
  readonly tokens: TokenUse | null;
  /** The cost that the engine reports, in USD. */
  readonly reportedUsd: number | null;
  readonly responseId: string | null;
  /** `2026-11-20T12:34:56.789Z`, if the response says when it was made. */
  readonly answeredAt: string | null;
  readonly fault?: EngineFault | undefined;
}

/** Header names are in lower case. */
export type ResponseHeaders = Readonly<Record<string, string>>;

export type ReadResponse = (status: number, headers: ResponseHeaders, body: string) => EngineAnswer;

/** The price of one model, and its source. */
export interface ModelPrice {
  /** The model's name. Its dated snapshots cost the same: `NAME-2026-01-31`, `NAME-20260131`. */
  readonly model: string;
  /** USD per million tokens. */
  readonly input: number;
  readonly cached?: number;
  readonly output: number;
  /** USD per 1,000 searches; left out if unknown. */
  readonly searches?: number;
  /** The day on which the price was read. */
  readonly checked: string;
  /** The day from which the price holds; left out if it always did. */
  readonly from?: string;
  readonly source: string;
}

/** One answer engine behind its official API. */
export interface Engine {
  /**
   * The slug ends in `_api`, because the answers of an API and of its app differ. The operator
   * names an `openai_compatible` engine.
   */
  readonly slug: string;
  /** Defaults of settings that the operator may leave out. */
  readonly defaults: {
    readonly baseUrl?: string;
    readonly model?: string;
    readonly keyVariable: string;
  };
  readonly keyHeader: 'authorization' | 'x-api-key' | 'x-goog-api-key';
  /** Whether it may run on the operator's own machine, with a private address and without a key. */
  readonly isOwn?: boolean;
  /** Whether the API at an address has a known web search. If left out, every address has one. */
  readonly canSearch?: (baseUrl: string) => boolean;
  /** Whether its API can be told to search before each answer. */
  readonly canRequireSearch?: boolean;
  /** Whether the operator must accept separate terms for search. */
  readonly hasSearchTerms?: boolean;
  /** Mean tokens and searches of recorded answers, for estimates before there are own answers. */
  readonly usual?: { readonly input: number; readonly output: number; readonly searches: number };
  readonly prices: readonly ModelPrice[];
  /**
   * The version of `read`, 1 if left out. Increase it if `read` gives a different result for the
   * same body: answers of two versions are not compared.
   */
  readonly readingRule?: number;
  readonly request: (question: Question, target: Target) => EngineRequest;
  readonly read: ReadResponse;
  /** The one request that continues a paused answer; undefined if the response is not paused. */
  readonly next?: (request: EngineRequest, body: string) => EngineRequest | undefined;
}
