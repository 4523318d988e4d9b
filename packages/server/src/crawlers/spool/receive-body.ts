import { Readable } from 'node:stream';
import { z } from 'zod';
import { isRefusal } from '../../refusals.ts';
import { decompress } from '../../rows/decompress.ts';
import { parseJson } from '../../values/json.ts';
import { hasTooManyItems } from '../formats/json-format.ts';
import { headBytes, refuseUnreadable } from '../ingest/refuse-unreadable.ts';

/** Bytes of a body as it is sent, and of the lines that it unpacks to. */
export const sentBytesMax = 10_000_000;
const linesBytesMax = 32_000_000;
/** A line that is a longer array would be skipped by its reader. */
const arrayBytesMax = 1 << 22;
/** Firehose collects up to 5 MiB unless it is told otherwise, which is 7 MB as base64. */
const envelopeBytesMax = 8_000_000;
const recordsMax = 20_000;
/** First bytes of a body in which there is no NUL, because it is text. */
const textBytes = 1024;

/** Why a body was not received. */
export type BodyFault = 'too_large' | 'busy' | 'unreadable' | 'incomplete';

/**
 * Makes a receiver of bodies, and bounds what all of them together hold in memory by `heldBytesMax`. A
 * body is unpacked once all of it is there, so a slow sender holds only what it has sent; the bodies of
 * one sender hold at most half of the memory until then. `check` throws to refuse a body before it is
 * unpacked. `use` gets whole lines; a body's memory counts until `use` has ended.
 */
export function createBodyReceiver({ heldBytesMax = 64_000_000 } = {}) {
  let heldBytes = 0;
  const sentBytesOf = new Map<string, number>();

  return async function receiveBody<Result>(
    body: AsyncIterable<Buffer>,
    {
      sender,
      isBrotli = false,
      isEnvelope = false,
      check = () => {},
    }: {
      sender: string;
      isBrotli?: boolean;
      /** Whether it is a request of Amazon Data Firehose. */
      isEnvelope?: boolean;
      /** Called with the body as it was sent. */
      check?: (sent: Buffer) => void;
    },
    use: (lines: Buffer) => Promise<Result>,
  ): Promise<Result | BodyFault> {
    let [sentBytes, unpackedBytes] = [0, 0];
    try {
      // The sender left, or was too slow, if this throws.
      const sent = await collect(body, sentBytesMax, holdSent).catch(() => 'incomplete' as const);
      if (typeof sent === 'string') return sent;
      check(sent);
      const name = isBrotli ? 'body.br' : 'body';
      const unpacked = decompress(Readable.from([sent]), { name });
      const whole = await collect(unpacked, linesBytesMax, holdUnpacked);
      dropSent();
      const lines = typeof whole === 'string' ? whole : linesOf(whole, isEnvelope);
      return typeof lines === 'string' ? lines : await use(lines);
    } catch (error) {
      if (isRefusal(error)) return 'unreadable';
      throw error;
    } finally {
      dropSent();
      heldBytes -= unpackedBytes;
    }

    function holdSent(bytes: number): boolean {
      sentBytes += bytes;
      heldBytes += bytes;
      const ofSender = (sentBytesOf.get(sender) ?? 0) + bytes;
      sentBytesOf.set(sender, ofSender);
      return heldBytes <= heldBytesMax && ofSender <= heldBytesMax / 2;
    }

    function holdUnpacked(bytes: number): boolean {
      unpackedBytes += bytes;
      heldBytes += bytes;
      return heldBytes <= heldBytesMax;
    }

    function dropSent(): void {
      heldBytes -= sentBytes;
      const others = (sentBytesOf.get(sender) ?? 0) - sentBytes;
      if (others > 0) sentBytesOf.set(sender, others);
      else sentBytesOf.delete(sender);
      sentBytes = 0;
    }
  };
}

/** Joins chunks as long as `hold` has room for them. */
async function collect(
  chunks: AsyncIterable<Buffer>,
  bytesMax: number,
  hold: (bytes: number) => boolean,
): Promise<Buffer | BodyFault> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    const hasRoom = hold(chunk.length);
    if (length > bytesMax) return 'too_large';
    if (!hasRoom) return 'busy';
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** The lines of an unpacked body, each with its newline. */
function linesOf(bytes: Buffer, isEnvelope: boolean): Buffer | BodyFault {
  const lines = isEnvelope ? recordsOf(bytes) : bytes;
  if (typeof lines === 'string') return lines;
  refuseUnreadable(lines.subarray(0, headBytes));
  if (lines.subarray(0, textBytes).includes(0)) return 'unreadable';
  const isArray = /^\s*\[\s*\{/.test(lines.toString('latin1', 0, 16));
  if (isArray && (lines.length > arrayBytesMax || hasTooManyItems(lines.toString('latin1')))) {
    return 'too_large';
  }
  return withNewline(lines);
}

const newline = Buffer.from('\n');

function withNewline(bytes: Buffer): Buffer {
  return bytes.at(-1) === newline[0] ? bytes : Buffer.concat([bytes, newline]);
}

/** https://docs.aws.amazon.com/firehose/latest/dev/httpdeliveryrequestresponse.html */
const envelope = z.object({ records: z.array(z.object({ data: z.base64() })) });

/** Parsing blocks the server, so what would make many values is refused before. */
function recordsOf(bytes: Buffer): Buffer | BodyFault {
  if (bytes.length > envelopeBytesMax || hasManyValues(bytes)) return 'too_large';
  const { data } = envelope.safeParse(parseJson(bytes.toString()));
  if (data === undefined) return 'unreadable';
  return Buffer.concat(data.records.map((each) => withNewline(Buffer.from(each.data, 'base64'))));
}

/** Whether there are more values than in `recordsMax` records: each has a comma and a brace, its base64 none. */
function hasManyValues(bytes: Buffer): boolean {
  let marks = 0;
  for (const byte of bytes) {
    if (byte === 0x2c || byte === 0x5b || byte === 0x7b) marks += 1;
  }
  return marks > 2 * recordsMax + 20;
}
