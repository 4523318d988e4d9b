import { z } from 'zod';
import { isRefusal } from '../../refusals.ts';
import { decompress } from '../../rows/decompress.ts';
import { parseJson } from '../../values/json.ts';
import { itemsOf } from '../formats/json-format.ts';
import { headBytes, refuseUnreadable } from '../ingest/refuse-unreadable.ts';

/** Bytes of a body as it is sent, and of the lines that it unpacks to. */
export const sentBytesMax = 10_000_000;
const linesBytesMax = 32_000_000;
/** A line that is a longer array would be skipped. */
const arrayBytesMax = 1 << 22;

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
      return lines === undefined ? 'unreadable' : await use(lines);
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

/** The lines of an unpacked body, each with its newline. Undefined if it isn't what it should be. */
function linesOf(bytes: Buffer, isEnvelope: boolean): Buffer | undefined {
  if (isEnvelope) return recordsOf(bytes);
  refuseUnreadable(bytes.subarray(0, headBytes));
  const isLongArray =
    bytes.length > arrayBytesMax && /^\s*\[/.test(bytes.toString('latin1', 0, 16));
  const items = isLongArray ? itemsOf(bytes.toString()) : undefined;
  return items === undefined ? withNewline(bytes) : Buffer.from(`${items.join('\n')}\n`);
}

const newline = Buffer.from('\n');

function withNewline(bytes: Buffer): Buffer {
  return bytes.at(-1) === newline[0] ? bytes : Buffer.concat([bytes, newline]);
}

/** https://docs.aws.amazon.com/firehose/latest/dev/httpdeliveryrequestresponse.html */
const envelope = z.object({ records: z.array(z.object({ data: z.base64() })) });

function recordsOf(bytes: Buffer): Buffer | undefined {
  const { data } = envelope.safeParse(parseJson(bytes.toString()));
  return (
    data && Buffer.concat(data.records.map((each) => withNewline(Buffer.from(each.data, 'base64'))))
  );
}
