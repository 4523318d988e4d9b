import type { FileHandle } from 'node:fs/promises';

const edgeBytes = 256;

/** Both ends of what has been read of an open file. */
export interface EdgeMemory {
  /** Takes what was read next. */
  note(chunk: Buffer): void;
  /**
   * Whether the file still has them there, and what it ended with at the last look: one that was cut
   * and written anew does not, nor ever again.
   */
  areThere(): Promise<boolean>;
}

/** Remembers both ends of what has been read of a file, which is `readBytes` so far. */
export async function rememberEdges(file: FileHandle, readBytes: number): Promise<EdgeMemory> {
  let position = readBytes;
  let head = await readAt(file, 0, Math.min(edgeBytes, readBytes));
  let tail = await readAt(file, readBytes - head.length, head.length);
  // Of a log with a long heading a new one begins with the same, and its own end is read before a look.
  let looked = { position, tail };
  let isSame = true;
  return { note, areThere };

  function note(chunk: Buffer): void {
    position += chunk.length;
    if (head.length < edgeBytes) head = Buffer.concat([head, chunk.subarray(0, edgeBytes)]);
    head = head.subarray(0, edgeBytes);
    tail = Buffer.concat([tail, chunk.subarray(-edgeBytes)]).subarray(-edgeBytes);
  }

  async function areThere(): Promise<boolean> {
    const now = { position, tail };
    isSame &&=
      (await endsSo(now)) &&
      (now.position === looked.position || (await endsSo(looked))) &&
      (await readAt(file, 0, head.length)).equals(head);
    if (isSame) looked = now;
    return isSame;
  }

  async function endsSo({ position: end, tail: bytes }: typeof looked): Promise<boolean> {
    return (await readAt(file, end - bytes.length, bytes.length)).equals(bytes);
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
