import { closeSync, openSync, readSync } from 'node:fs';

/**
 * Reads the first bytes of a file, padded with zeros if it is shorter. Throws the system's error.
 */
export function readFileHead(path: string, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  const file = openSync(path, 'r');
  try {
    readSync(file, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(file);
  }
  return bytes;
}
