import type { FileHandle } from 'node:fs/promises';
import type { Identity } from '../hits/identity.ts';

/** How far a file has been read, and the last bytes that were read, by which it is recognised. */
export interface LogTail {
  readonly bytes: number;
  readonly last: Buffer;
}

const lastBytes = 256;

export async function readTail(file: FileHandle, bytes: number): Promise<LogTail> {
  const length = Math.min(lastBytes, bytes);
  const read = await file.read(Buffer.alloc(length), 0, length, bytes - length);
  return { bytes, last: read.buffer.subarray(0, read.bytesRead) };
}

export function advance({ bytes, last }: LogTail, chunk: Buffer): LogTail {
  const end = Buffer.concat([last, chunk.subarray(-lastBytes)]).subarray(-lastBytes);
  return { bytes: bytes + chunk.length, last: end };
}

/** Whether the file is still the one that was read, and not another one written over it. */
export async function hasTail(file: FileHandle, { bytes, last }: LogTail): Promise<boolean> {
  return (await readTail(file, bytes)).last.equals(last);
}

/** `LENGTH:HMAC` of the last bytes, which reveals nothing of them. */
export function fingerprint({ last }: LogTail, identity: Identity): string {
  return `${last.length}:${identity.fingerprint(last)}`;
}
