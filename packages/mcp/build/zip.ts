import { crc32, deflateRawSync } from 'node:zlib';

/** One file of an archive. */
export interface ZippedFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly isExecutable?: boolean;
}

const dosDay = ((2026 - 1980) << 9) | (1 << 5) | 1;
const utf8Names = 0x0800;
const deflated = 8;

/** A zip archive (PKWARE's APPNOTE, without its 64-bit parts) that has the same bytes on every day. */
export function zip(files: readonly ZippedFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const name = Buffer.from(file.path);
    const data = deflateRawSync(file.bytes, { level: 9 });
    const about = describe(file, { name, data });
    const local = Buffer.concat([header(0x04034b50), about, name, data]);
    parts.push(local);
    directory.push(Buffer.concat([centralHeader(about, file, offset), name]));
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  return Buffer.concat([...parts, central, end(files.length, central.length, offset)]);
}

/** What the local header and the directory say alike. */
function describe(file: ZippedFile, { name, data }: { name: Buffer; data: Buffer }): Buffer {
  const about = Buffer.alloc(26);
  about.writeUInt16LE(20, 0);
  about.writeUInt16LE(utf8Names, 2);
  about.writeUInt16LE(deflated, 4);
  about.writeUInt16LE(dosDay, 8);
  about.writeUInt32LE(crc32(file.bytes), 10);
  about.writeUInt32LE(data.length, 14);
  about.writeUInt32LE(file.bytes.length, 18);
  about.writeUInt16LE(name.length, 22);
  return about;
}

function centralHeader(
  about: Buffer,
  { isExecutable = false }: ZippedFile,
  offset: number,
): Buffer {
  const rest = Buffer.alloc(14);
  // A regular file, with the permissions of Unix in the upper half.
  rest.writeUInt32LE(((isExecutable ? 0o100755 : 0o100644) << 16) >>> 0, 6);
  rest.writeUInt32LE(offset, 10);
  const madeBy = Buffer.from([20, 3]);
  return Buffer.concat([header(0x02014b50), madeBy, about, rest]);
}

function end(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(size, 12);
  record.writeUInt32LE(offset, 16);
  return record;
}

function header(signature: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(signature);
  return bytes;
}
