import { Refusal } from '../../refusals.ts';
import { toAnswer } from '../engines/answer.ts';
import { continued } from '../engines/continued.ts';
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

/** One request and what came back: evidence, without headers and key. */
export interface Exchange {
  readonly request: EngineRequest;
  readonly status: number;
  readonly body: string;
}

interface AskOptions {
  readonly question: Question;
  readonly target: Target;
  /** Undefined for an engine of one's own that needs none. */
  readonly key: string | undefined;
  readonly fetch: EngineFetch;
  readonly clock: () => number;
  readonly signal: AbortSignal;
  /** Whether a paused answer may go on, with a second request. */
  readonly mayContinue?: (() => boolean) | undefined;
}

const secretLengthMin = 12;
const bodyBytesMax = 32 * 1024 * 1024;

/**
 * Asks an engine one question. Sends at most one request, and one more to continue a paused answer;
 * no request is sent twice. Every failure is a fault of the answer, none is thrown.
 */
export async function askEngine(
  engine: Engine,
  { question, target, mayContinue = () => true, ...options }: AskOptions,
): Promise<{ readonly answer: EngineAnswer; readonly exchanges: readonly Exchange[] }> {
  const request = engine.request(question, target);
  const first = await exchange(engine, request, options);
  const next = first.exchange && engine.next?.(request, first.exchange.body);
  if (next === undefined || !mayContinue()) {
    return { answer: first.answer, exchanges: [first.exchange].flatMap((each) => each ?? []) };
  }
  const second = await exchange(engine, next, options);
  return {
    answer: continued(first.answer, second.answer),
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
    // Waits until a date count from the response's own, which a gateway may leave out.
    const date = new Date(clock()).toUTCString();
    const headers: ResponseHeaders = { date, ...Object.fromEntries(response.headers) };
    const body = withoutKey(await readText(response.body), key);
    return { answer: engine.read(status, headers, body), exchange: { request, status, body } };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof NotConnectedError) {
      return { answer: toAnswer({ fault: { kind: 'unreached', code: cause.code } }) };
    }
    // Sent, and no whole response: it may have been worked on, and billed.
    const code = signal.aborted ? 'not_waited_for' : 'broken_off';
    return { answer: toAnswer({ fault: { kind: 'unclear', code } }) };
  }
}

/** The key in a variable of the environment; undefined if an engine of one's own has none. */
export function readKey(
  environment: Readonly<Record<string, string | undefined>>,
  { slug: engine, isOwn = false }: Engine,
  variable: string,
): string | undefined {
  const key = environment[variable]?.trim() ?? '';
  if (key === '' && isOwn) return undefined;
  if (key === '') throw new Refusal('engine_key_missing', { engine, variable });
  // Anything else isn't a header value, and the error for it would show the key.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Refusal('engine_key_malformed', { variable });
  return key;
}

function keyHeader({ keyHeader: name }: Engine, key: string | undefined): Record<string, string> {
  if (key === undefined) return {};
  return { [name]: name === 'authorization' ? `Bearer ${key}` : key };
}

/** Some engines repeat a wrong key in their error. A short one, such as `ollama`, isn't a secret but a word. */
function withoutKey(body: string, key = ''): string {
  if (key.length < secretLengthMin) return body;
  // PHP and others escape slashes in JSON, and an address that is repeated has it percent-encoded.
  const forms = [key, key.replaceAll('/', '\\/'), encodeURIComponent(key)];
  return forms.reduce((text, form) => text.replaceAll(form, '[key]'), body);
}

async function readText(stream: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream ?? []) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new RangeError('The response is too long');
    chunks.push(chunk);
  }
  // Without a byte order mark, which JSON must not begin with.
  return new TextDecoder().decode(Buffer.concat(chunks));
}
