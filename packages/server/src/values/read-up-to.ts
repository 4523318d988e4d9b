/**
 * Reads a stream to its end, or until it has given more than `bytesMax` bytes: a longer result means
 * that the stream was cut off.
 */
export async function readUpTo(
  stream: AsyncIterable<Uint8Array> | null,
  bytesMax: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop cancels the rest.
    if (length > bytesMax) break;
  }
  return Buffer.concat(chunks);
}
