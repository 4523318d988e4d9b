import { bots } from '../../src/crawlers/bots/catalogue.ts';
import { createRecogniser } from '../../src/crawlers/bots/recognise.ts';
import { createFormats } from '../../src/crawlers/formats/file-formats.ts';
import { createLineReader } from '../../src/crawlers/ingest/line-reader.ts';
import type { LineOutcome, LineReader } from '../../src/crawlers/ingest/line-reader.ts';

/** A reader of one file's lines, for the bots of the catalogue. */
export function createReader(format = 'auto'): LineReader {
  return createLineReader(createFormats(format), { recognise: createRecogniser(bots) });
}

/** Reads a line of its own, as the first of a file. */
export function read(line: string, format = 'auto'): LineOutcome {
  return outcomeOf(createReader(format), line);
}

/** Reads the next line of a file. */
export function outcomeOf(reader: LineReader, line: string): LineOutcome {
  return reader.read(line);
}
