import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { createFailureLimit } from '../access/failure-limit.ts';
import { findReceiver } from '../access/receivers.ts';
import type { OpenReceiver } from '../access/receivers.ts';
import { splitTarget } from '../api/request/split-target.ts';
import type { ProgramParts } from '../api/service/dependencies.ts';
import { createBodyReceiver } from '../crawlers/spool/receive-body.ts';
import type { BodyFault } from '../crawlers/spool/receive-body.ts';
import { Problem, unavailable } from '../problems.ts';
import { ingestPath } from './pipeline.ts';
import type { ReachDependencies } from './pipeline.ts';

/** Any service of Fastly may post here: the token in the path says whose lines they are. */
export const fastlyChallenge = {
  // https://www.fastly.com/documentation/guides/integrations/logging-endpoints/log-streaming-https
  path: '/.well-known/fastly/logging/challenge',
  methods: ['GET', 'HEAD'],
  handler: async (_request: FastifyRequest, reply: FastifyReply) =>
    reply.type('text/plain; charset=utf-8').send('*\n'),
} as const;

/** Receivers that are kept for when the database is away. */
const seenMax = 1000;
/** How long a database that did not respond counts as away. */
const awayMs = 5000;

const encodings: ReadonlySet<string> = new Set(['identity', 'gzip', 'zstd', 'br']);

/** Vercel tries an address out by any of them. */
export const receiveMethods = ['GET', 'HEAD', 'POST'] as const;

/** What Cloudflare sends to try a destination out. */
const cloudflareTest = /^\s*\{\s*"content"\s*:\s*"[^"\\]*"\s*\}\s*$/;
const testBytesMax = 200;

/**
 * Makes the handler of `/ingest/TOKEN`: 202 means that the posted lines are on the disk. It reads the
 * body only if the token opens a receiver.
 */
export function createReceive(
  { store, clock, spool }: ReachDependencies,
  { deadline }: Pick<ProgramParts, 'deadline'>,
) {
  const seen = new LRUCache<string, OpenReceiver>({ max: seenMax });
  let awayAtMs = -Infinity;
  const noteFailure = createFailureLimit({ clock });
  const receiveBody = createBodyReceiver();

  return async function receive(request: FastifyRequest, reply: FastifyReply) {
    const { headers, raw, originalUrl } = request;
    const { path, search } = splitTarget(originalUrl);
    const receiver = await open(path.slice(ingestPath.length));
    if (receiver === undefined) throw refuse(request);
    request.workspaceId = receiver.workspace_id;
    if (spool === undefined) {
      throw closing(unavailable('This server has no folder for received lines: see --spool.'));
    }
    const { host, secret } = receiver;
    const code = host === 'vercel' ? verificationCode(search, headers) : undefined;
    if (code !== undefined) reply.header('x-vercel-verify', code);
    if (request.method !== 'POST') {
      if (host === 'vercel') return reply.send();
      throw closing(new Problem('method_not_allowed', 'A receiver takes only POST.', postOnly));
    }
    // Only a test has no signature.
    const isUnsigned = code !== undefined && headers['x-vercel-signature'] === undefined;
    const isEnvelope = host === 'cloudfront';
    if (isEnvelope && !isEqual(headers['x-amz-firehose-access-key'], secret)) throw refuse(request);
    const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
    if (!encodings.has(encoding)) throw problemOf('unreadable');
    const check = (sent: Buffer) => {
      if (isUnsigned && sent.length <= testBytesMax) return;
      const digest = createHmac('sha1', secret ?? '')
        .update(sent)
        .digest('hex');
      if (!isEqual(headers['x-vercel-signature'], digest)) throw refuse(request);
    };
    const options = {
      sender: receiver.workspace_id,
      isEnvelope,
      isBrotli: encoding === 'br',
      ...(host === 'vercel' && { check }),
    };
    // Responding needs the socket, which would be destroyed with the rest of the body.
    const body = raw.iterator({ destroyOnReturn: false });
    const outcome = await receiveBody(body, options, async (lines) => {
      const isTest =
        isUnsigned ||
        (host === 'cloudflare' &&
          lines.length <= testBytesMax &&
          cloudflareTest.test(lines.toString()));
      return isTest || (await spool.add(receiver.id, lines).catch(refuseUnstored));
    });
    if (outcome === false) throw closing(unavailable('Too many lines wait to be read.'));
    if (typeof outcome === 'string') throw problemOf(outcome);
    if (isEnvelope) {
      // Firehose takes nothing else for a success.
      const requestId = headers['x-amz-firehose-request-id'];
      return reply.send({ requestId, timestamp: clock() });
    }
    return reply.code(host === 'vercel' ? 200 : 202).send();
  };

  /**
   * The receiver of a token. While the database is away, those that took lines before go on, because
   * not every host tries again for long. The reader drops the lines of one that was ended meanwhile.
   */
  async function open(token: string): Promise<OpenReceiver | undefined> {
    const before = seen.get(token);
    if (before !== undefined && Math.abs(clock() - awayAtMs) < awayMs) return before;
    try {
      const receiver = await deadline.waitFor(findReceiver(store.access, token));
      if (receiver !== undefined) seen.set(token, receiver);
      else seen.delete(token);
      return receiver;
    } catch (error) {
      awayAtMs = clock();
      if (before === undefined) throw error;
      return before;
    }
  }

  /** Refuses a sender. Its body is not read, so the connection ends. */
  function refuse({ ip }: FastifyRequest): Problem {
    const seconds = noteFailure(ip);
    if (seconds === undefined) {
      return new Problem('unknown_receiver', 'The address or the proof of the request is wrong.', {
        headers: { Connection: 'close' },
      });
    }
    return new Problem('too_many_failures', 'Too many requests with a wrong address came.', {
      headers: { Connection: 'close', 'Retry-After': String(seconds) },
    });
  }
}

const postOnly = { headers: { Allow: 'POST' } };

/**
 * The code by which Vercel knows that an address is its customer's: the customer writes it at the end
 * of the address, because Vercel looks for it in responses to requests that do not carry it.
 */
function verificationCode(search: string, headers: IncomingHttpHeaders): string | undefined {
  const code = new URLSearchParams(search).get('verify') ?? headers['x-vercel-verify'];
  return typeof code === 'string' && /^[\w-]{1,100}$/.test(code) ? code : undefined;
}

/** A full disk, for example: the host is to send the same lines again. */
function refuseUnstored(cause: unknown): never {
  throw closing(unavailable('The lines could not be stored on the disk.', { cause }));
}

const sizeWords =
  'A request has at most 10 MB, and 32 MB unpacked; of a JSON array 4 MB and 50,000 items, of Firehose 8 MB and 20,000 records.';

function problemOf(fault: BodyFault): Problem {
  if (fault === 'busy') return closing(unavailable('Too many bodies are being received.'));
  const headers = { Connection: 'close' };
  if (fault === 'incomplete') {
    return new Problem('request_timeout', 'The body did not arrive in whole.', { headers });
  }
  return fault === 'too_large'
    ? new Problem('body_too_large', sizeWords, { headers })
    : new Problem('unreadable_body', 'The body is damaged, or not lines of text.', { headers });
}

function closing({ code, message, headers, cause }: Problem): Problem {
  return new Problem(code, message, { headers: { ...headers, Connection: 'close' }, cause });
}

/** Compares texts in a time that depends on neither. */
function isEqual(sent: string | readonly string[] | undefined, expected: string | null): boolean {
  if (typeof sent !== 'string' || expected === null) return false;
  return timingSafeEqual(hash('sha256', sent, 'buffer'), hash('sha256', expected, 'buffer'));
}
