import { bots } from '../src/crawlers/bots/catalogue.ts';
import { createRecogniser } from '../src/crawlers/bots/recognise.ts';
import { createFormats } from '../src/crawlers/formats/all.ts';
import { createAgentMemo } from '../src/crawlers/ingest/agent-memo.ts';
import { createLineReader } from '../src/crawlers/ingest/line-reader.ts';
import type { LineOutcome, LineReader } from '../src/crawlers/ingest/line-reader.ts';
import { writtenLine } from '../src/crawlers/written-line.ts';

/** A reader of one file's lines, for the bots of the catalogue. */
export function createReader(format = 'auto'): LineReader {
  return createLineReader(createFormats(format), {
    agents: createAgentMemo(createRecogniser(bots)),
  });
}

/** What a line by itself is. */
export function read(line: string, format = 'auto'): LineOutcome {
  return outcomeOf(createReader(format), line);
}

/** What a line of a file is. */
export function outcomeOf(reader: LineReader, line: string): LineOutcome {
  return reader.read(writtenLine(Buffer.from(line).toString('latin1')));
}
