/** How files begin that hold no lines of UTF-8, and what to do. */
const marks: ReadonlyArray<readonly [hex: string, why: string]> = [
  ['425a68', 'it is compressed with bzip2. Read it with: bzcat FILE | overheard hits ingest -'],
  ['fd377a585a00', 'it is compressed with xz. Read it with: xzcat FILE | overheard hits ingest -'],
  ['04224d18', 'it is compressed with lz4. Read it with: lz4cat FILE | overheard hits ingest -'],
  ['504b0304', 'it is a zip archive. Read it with: unzip -p FILE | overheard hits ingest -'],
  ['377abcaf271c', 'it is a 7z archive. Read it with: 7z x -so FILE | overheard hits ingest -'],
  ['50415231', 'it is Parquet. Choose JSON or W3C as the format of these logs'],
  ['fffe', utf16('it is UTF-16')],
  ['feff', utf16('it is UTF-16')],
];

function utf16(what: string): string {
  return `${what}. Read it with: iconv -f UTF-16 -t UTF-8 FILE | overheard hits ingest -`;
}

/** Bytes of a file that are looked at. */
export const headBytes = 4096;

/** Why a file that begins with these bytes is no log that can be read; undefined if it may be one. */
export function whyNoLog(head: Buffer): string | undefined {
  const hex = head.toString('hex', 0, 8);
  const mark = marks.find(([bytes]) => hex.startsWith(bytes));
  if (mark !== undefined) return mark[1];
  const text = head.toString('latin1', 0, headBytes);
  if (text.slice(257, 262) === 'ustar') {
    return 'it is a tar archive. Read it with: tar -xOf FILE | overheard hits ingest -';
  }
  if (/^(?:[\t-~]\0){8}/.test(text)) {
    return utf16('it is UTF-16 without its mark').replace('UTF-16 -t', 'UTF-16LE -t');
  }
  if (/^(?:\0[\t-~]){8}/.test(text)) {
    return utf16('it is UTF-16 without its mark').replace('UTF-16 -t', 'UTF-16BE -t');
  }
  const isOldMac = !text.includes('\n') && /\r[^]*\r/.test(text);
  return isOldMac
    ? String.raw`its lines end with a carriage return alone. Read it with: tr '\r' '\n' < FILE | overheard hits ingest -`
    : undefined;
}
