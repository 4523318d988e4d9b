/** Pictures for tests, chunk by chunk: https://www.w3.org/TR/png-3/#5DataRep */
import { crc32, deflateSync } from 'node:zlib';

export const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/** A chunk with its length and checksum. */
export function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** The header of a picture. */
export function header(width = 1, height = 1): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([8, 2, 0, 0, 0], 8);
  return chunk('IHDR', data);
}

export const pixels = chunk('IDAT', deflateSync(Buffer.from([0, 255, 0, 0])));
export const end = chunk('IEND', Buffer.alloc(0));
/** One pixel, with no other chunk. */
export const plainPicture = Buffer.concat([signature, header(), pixels, end]);
