import type { FileHandle } from 'node:fs/promises';
import type { Identity } from '../hits/identity.ts';

const edgeBytes = 256;

/** How far an open file has been read, and by what the file is recognised. */
export interface FilePlace {
  /** Bytes read so far. */
  readonly bytes: number;
  /** Takes the bytes that were read next. */
  advance(chunk: Buffer): void;
  /** Whether the file still has what was read of it. Once it has not, it never has again. */
  isIntact(): Promise<boolean>;
}

/** Begins at a place of a file, `bytes` from its start. */
export async function placeIn(file: FileHandle, bytes: number): Promise<FilePlace> {
  let position = bytes;
  let head = await readAt(file, 0, Math.min(edgeBytes, bytes));
  let tail = await readAt(file, bytes - head.length, head.length);
  // A new log may begin with the same heading, and its end is read before anybody looks at it.
  let looked = { position, tail };
  let isSame = true;
  return {
    get bytes() {
      return position;
    },
    advance,
    isIntact,
  };

  function advance(chunk: Buffer): void {
    position += chunk.length;
    if (head.length < edgeBytes) head = Buffer.concat([head, chunk.subarray(0, edgeBytes)]);
    head = head.subarray(0, edgeBytes);
    tail = Buffer.concat([tail, chunk.subarray(-edgeBytes)]).subarray(-edgeBytes);
  }

  async function isIntact(): Promise<boolean> {
    const now = { position, tail };
    isSame &&=
      (await endsWith(now)) &&
      (now.position === looked.position || (await endsWith(looked))) &&
      (await readAt(file, 0, head.length)).equals(head);
    if (isSame) looked = now;
    return isSame;
  }

  async function endsWith(end: { position: number; tail: Buffer }): Promise<boolean> {
    return (await readAt(file, end.position - end.tail.length, end.tail.length)).equals(end.tail);
  }
}

/** `LENGTH:HMAC` of the last of a file's first `bytes`; it reveals nothing of them. */
export async function fingerprintAt(
  file: FileHandle,
  bytes: number,
  identity: Identity,
): Promise<string> {
  const length = Math.min(edgeBytes, bytes);
  const tail = await readAt(file, bytes - length, length);
  return `${tail.length}:${identity.fingerprint(tail)}`;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
