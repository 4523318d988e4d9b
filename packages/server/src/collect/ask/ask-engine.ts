import { readUpTo } from '../../values/read-up-to.ts';
import { toAnswer } from '../engines/answer.ts';
import { joinAnswers } from '../engines/join-answers.ts';
import type {
  Engine,
  EngineAnswer,
  EngineRequest,
  Question,
  ResponseHeaders,
  Target,
} from '../engines/engine.ts';
import { NotConnectedError } from './engine-fetch.ts';
import type { EngineFetch } from './engine-fetch.ts';

/** One request and its response, kept as evidence without headers and key. */
export interface Exchange {
  readonly request: EngineRequest;
  readonly status: number;
  readonly body: string;
}

interface AskOptions {
  readonly question: Question;
  readonly target: Target;
  /** The engine's key; undefined for an engine of the operator's own that needs none. */
  readonly key: string | undefined;
  readonly fetch: EngineFetch;
  readonly clock: () => number;
  readonly signal: AbortSignal;
}

const secretLengthMin = 12;
const bodyBytesMax = 32 * 1024 * 1024;

/**
 * Asks an engine one question. Sends at most one request, and one more to continue a paused answer.
 * Never sends a request twice. Reports every failure as a fault of the answer and never throws.
 */
export async function askEngine(
  engine: Engine,
  { question, target, ...options }: AskOptions,
): Promise<{ readonly answer: EngineAnswer; readonly exchanges: readonly Exchange[] }> {
  const request = engine.request(question, target);
  const first = await exchange(engine, request, options);
  const next = first.exchange && engine.next?.(request, first.exchange.body);
  if (next === undefined) {
    return { answer: first.answer, exchanges: [first.exchange].flatMap((each) => each ?? []) };
  }
  const second = await exchange(engine, next, options);
  return {
    answer: joinAnswers(first.answer, second.answer),
    exchanges: [first.exchange, second.exchange].flatMap((each) => each ?? []),
  };
}

interface ExchangeResult {
  readonly answer: EngineAnswer;
  readonly exchange?: Exchange;
}

async function exchange(
  engine: Engine,
  request: EngineRequest,
  { key, fetch, clock, signal }: Pick<AskOptions, 'key' | 'fetch' | 'clock' | 'signal'>,
): Promise<ExchangeResult> {
  try {
    const response = await fetch(request.url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...request.headers,
        ...keyHeader(engine, key),
      },
      body: JSON.stringify(request.body),
      signal,
    });
    const { status } = response;
    // A wait until a date is measured from the response's own date, which a gateway may leave out.
    const date = new Date(clock()).toUTCString();
    const headers: ResponseHeaders = { date, ...Object.fromEntries(response.headers) };
    const body = withoutKey(await readText(response.body), key);
    return { answer: engine.read(status, headers, body), exchange: { request, status, body } };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof NotConnectedError) {
      return { answer: toAnswer({ fault: { kind: 'unreached', code: cause.code } }) };
    }
    // The request was sent but there is no complete response. The engine may have worked on it and
    // billed it.
    const code = signal.aborted ? 'not_waited_for' : 'broken_off';
    return { answer: toAnswer({ fault: { kind: 'unclear', code } }) };
  }
}

function keyHeader({ keyHeader: name }: Engine, key: string | undefined): Record<string, string> {
  if (key === undefined) return {};
  return { [name]: name === 'authorization' ? `Bearer ${key}` : key };
}

/**
 * Some engines repeat a wrong key in their error. A short key, such as `ollama`, is a word and not
 * a secret.
 */
function withoutKey(body: string, key = ''): string {
  if (key.length < secretLengthMin) return body;
  // The body may repeat the key with escaped slashes (PHP's JSON) or percent-encoded (in an
  // address).
  const forms = [key, key.replaceAll('/', '\\/'), encodeURIComponent(key)];
  return forms.reduce((text, form) => text.replaceAll(form, '[key]'), body);
}

async function readText(stream: AsyncIterable<Uint8Array> | null): Promise<string> {
  const bytes = await readUpTo(stream, bodyBytesMax);
  if (bytes.length > bodyBytesMax) throw new RangeError('The response is too long');
  // `TextDecoder` removes a byte order mark, which JSON must not begin with.
  return new TextDecoder().decode(bytes);
}
