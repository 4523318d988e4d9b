import type { Outcome } from '@overheard/contract';

/** One question, exactly as the prompt has it. */
export interface Question {
  readonly text: string;
  /** BCP 47 with region. Its region is sent to the engines that take a place. */
  readonly locale: string;
}

/** How the operator has an engine asked. */
export interface Target {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly model: string;
  /** Whether the engine may search the web. */
  readonly hasSearch: boolean;
  /** Engines that take a limit get it. For the others it only bounds the cost. */
  readonly searchesMax: number;
  readonly outputTokensMax: number;
}

/** A request without the key, so that it can be kept as evidence. */
export interface EngineRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A page of the web as an engine names it. */
export interface WebPage {
  readonly url: string;
  readonly title?: string | undefined;
}

export interface TokenUse {
  /** All that the model read, cached tokens included. */
  readonly input: number;
  /** Of them, those that are billed as cached. */
  readonly cached: number;
  /** All that the model wrote, its thoughts included. */
  readonly output: number;
}

/**
 * Why there is no answer to count. Only the first four are surely not billed:
 * `unreached`: there was no connection, so nothing was sent.
 * `wait`: too many requests, or overloaded; the same question may be sent again after `waitMs`.
 * `switch_off`: key, quota or permission; the operator has to change something first.
 * `rejected`: this request is wrong, sent again it would be refused again.
 * `unclear`: a fault of the server, or no whole response; perhaps billed, so never sent again.
 * `unreadable`: not a response that this version knows; kept, to be read again after an upgrade.
 * `truncated`: cut off at a limit. `unfinished`: paused. `failed`: the engine says so.
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
  /** The engine's own code for it, never its words. */
  readonly code?: string | undefined;
  /** How long the engine asks to be left alone. */
  readonly waitMs?: number | undefined;
}

/** What an engine responded, in normal form. */
export interface EngineAnswer {
  readonly outcome: Outcome;
  /** Of the final message alone. */
  readonly text: string;
  /** The cited pages in the order of their first citation, each once. */
  readonly sources: readonly WebPage[];
  /** The pages that the engine read, cited ones included, each once. */
  readonly retrieved: readonly WebPage[];
  /** Null if the response does not say. */
  readonly searches: number | null;
  readonly queries: readonly string[];
  /** As served. */
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

/** What one model costs, and where that was read. */
export interface ModelPrice {
  /** Its dated snapshots cost the same: `NAME-2026-01-31`, `NAME-20260131`. */
  readonly model: string;
  /** USD per million tokens. */
  readonly input: number;
  readonly cached?: number;
  readonly output: number;
  /** USD per 1,000 searches; left out if unknown. */
  readonly searches?: number;
  /** The day on which it was read. */
  readonly checked: string;
  readonly source: string;
}

/** One answer engine behind its official API. */
export interface Engine {
  /** Ends in `_api`: an API's answer is not the app's. `openai_compatible` is named by the operator. */
  readonly slug: string;
  /** What the operator may leave out. */
  readonly defaults: {
    readonly baseUrl?: string;
    readonly model?: string;
    readonly keyVariable: string;
  };
  readonly keyHeader: 'authorization' | 'x-api-key' | 'x-goog-api-key';
  /** Whether its address may be private, and its key left out: a model on the operator's own machine. */
  readonly isOwn?: boolean;
  /** Whether the API at an address has a search of the web that is known here; every one if left out. */
  readonly canSearch?: (baseUrl: string) => boolean;
  /** Whether search needs the operator's consent to terms of its own. */
  readonly hasSearchTerms?: boolean;
  /** Mean tokens and searches of recorded answers, for an estimate without answers of one's own. */
  readonly usual?: { readonly input: number; readonly output: number; readonly searches: number };
  readonly prices: readonly ModelPrice[];
  /** Raise it if `read` reads the same body in another way: answers of two rules are not compared. 1 if left out. */
  readonly readingRule?: number;
  readonly request: (question: Question, target: Target) => EngineRequest;
  readonly read: ReadResponse;
  /** The one request that continues a paused answer; undefined if the response is not paused. */
  readonly next?: (request: EngineRequest, body: string) => EngineRequest | undefined;
}
