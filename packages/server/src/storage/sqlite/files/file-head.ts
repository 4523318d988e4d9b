import { closeSync, openSync, readSync } from 'node:fs';

/** The first bytes of a file, with zeros behind them if it is shorter. Throws what the system says. */
export function readHead(path: string, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  const file = openSync(path, 'r');
  try {
    readSync(file, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(file);
  }
  return bytes;
}
