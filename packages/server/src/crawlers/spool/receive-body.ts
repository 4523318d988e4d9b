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
 * Makes a receiver of bodies: it unpacks them, and bounds what all of them together hold in memory
 * by `heldBytesMax`. `use` gets whole lines; a body's memory counts until `use` has ended.
 */
export function createBodyReceiver({ heldBytesMax = 64_000_000 } = {}) {
  let heldBytes = 0;

  return async function receiveBody<Result>(
    body: AsyncIterable<Buffer>,
    {
      isBrotli = false,
      isEnvelope = false,
      onSent = () => {},
    }: {
      isBrotli?: boolean;
      /** Whether it is a request of Amazon Data Firehose. */
      isEnvelope?: boolean;
      /** Called with the bytes as they are sent. */
      onSent?: (bytes: Buffer) => void;
    },
    use: (lines: Buffer) => Promise<Result>,
  ): Promise<Result | BodyFault> {
    const chunks: Buffer[] = [];
    let [sentBytes, length] = [0, 0];
    let fault: BodyFault | undefined;
    try {
      for await (const chunk of decompress(sent(), { name: isBrotli ? 'body.br' : 'body' })) {
        length += chunk.length;
        heldBytes += chunk.length;
        if (length > linesBytesMax) fault ??= 'too_large';
        if (heldBytes > heldBytesMax) fault ??= 'busy';
        if (fault !== undefined) return fault;
        chunks.push(chunk);
      }
      const lines = linesOf(Buffer.concat(chunks), isEnvelope);
      return typeof lines === 'string' ? lines : await use(lines);
    } catch (error) {
      if (fault !== undefined) return fault;
      if (isRefusal(error)) return 'unreadable';
      throw error;
    } finally {
      heldBytes -= length;
    }

    async function* sent(): AsyncGenerator<Buffer> {
      try {
        for await (const chunk of body) {
          sentBytes += chunk.length;
          if (sentBytes > sentBytesMax) {
            fault = 'too_large';
            throw new Error('The body is too large');
          }
          onSent(chunk);
          yield chunk;
        }
      } catch (error) {
        // The sender left, or was too slow.
        fault ??= 'incomplete';
        throw error;
      }
    }
  };
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
