import { setImmediate } from 'node:timers/promises';
import type { Endpoint } from '@overheard/contract';
import { Failure } from '../failure.ts';

/** About 25,000 detections. With more, the program would need over 150 MB. */
const rowsMegabytesMax = 6;
/** Characters that are parsed at a time, which takes a few milliseconds. */
const sliceMin = 128 * 1024;

/**
 * Reads a body as JSON, in slices of its rows: each has the list under the endpoint's name,
 * and the last one every other field, too. Throws if the body is not JSON, or too long to use.
 */
export async function* readBodySlices(
  body: AsyncIterable<Uint8Array> | null,
  { array, fields }: Pick<Endpoint, 'array' | 'fields'>,
  address: string,
): AsyncGenerator {
  const head = new RegExp(`^\\s*\\{\\s*"${array}"\\s*:\\s*\\[`);
  const between = `},{"${fields[0]}":`;
  let start: string | undefined;
  let text = '';
  let enough = sliceMin;
  for await (const part of textParts(body, rowsMegabytesMax)) {
    text += part;
    if (text.length < enough) continue;
    if (start === undefined) {
      start = head.exec(text)?.[0] ?? '';
      text = text.slice(start.length);
    }
    const end = start === '' ? 0 : text.lastIndexOf(between) + 1;
    const rows = end === 0 ? undefined : parseJson(`[${text.slice(0, end)}]`);
    if (rows === undefined) {
      // The cut was inside a text or a list, or the form is different. Read more before the next
      // try.
      enough = text.length * 2;
      continue;
    }
    yield { [array]: rows };
    // Let other calls of the host, and a cancellation, proceed between tens of thousands of rows.
    await setImmediate();
    text = text.slice(end + 1);
    enough = sliceMin;
  }
  const last = parseJson(`${start ?? ''}${text}`);
  if (last === undefined) throw new Failure('not_json', { address });
  yield last;
}

/** Undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The body's text as it arrives. Throws if it is longer than allowed, without reading the rest. */
export async function* textParts(
  body: AsyncIterable<Uint8Array> | null,
  megabytesMax: number,
): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const part of body) {
    bytes += part.byteLength;
    // Leaving the loop cancels the body.
    if (bytes > megabytesMax * 1024 * 1024) throw new Failure('too_large', { megabytesMax });
    yield decoder.decode(part, { stream: true });
  }
  yield decoder.decode();
}
