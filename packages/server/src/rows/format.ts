/** The formats in which rows are read and written. */
export const formats = ['ndjson', 'json', 'csv'] as const;
export type Format = (typeof formats)[number];

const byExtension: Readonly<Record<string, Format>> = {
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
  csv: 'csv',
  tsv: 'csv',
};

/**
 * Detects the format from the file's name, also before `.gz`, `.zst` or `.br`, or else from its
 * first bytes. `array` is the name of the array in the body of the API.
 */
export function detectFormat(
  { name, array }: { name: string; array: string | undefined },
  head: Buffer,
): Format {
  return formatOfName(name) ?? formatOfText(head.toString('utf8').trimStart(), array);
}

/** The format that a file's name shows; undefined if it shows none. */
export function formatOfName(name: string): Format | undefined {
  const extension = /\.([a-z]+)(?:\.(?:gz|zst|br))?$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return byExtension[extension];
}

function formatOfText(text: string, array: string | undefined): Format {
  if (text.startsWith('[')) return 'json';
  if (!text.startsWith('{')) return 'csv';
  const firstArray = /^\{\s*"([^"\\]*)"\s*:\s*\[/.exec(text)?.[1];
  return firstArray !== undefined && firstArray === array ? 'json' : 'ndjson';
}
