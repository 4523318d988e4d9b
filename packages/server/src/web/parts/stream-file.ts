import { PassThrough } from 'node:stream';
import { writeToStream } from '../../transfer/write-output.ts';
import { utcDay } from '../../values/time/utc-day.ts';
import type { Result, WorkspaceContext } from '../request/page-context.ts';

const types = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
} as const;

/**
 * Sends a file while `writeRows` writes it, so that its length has no limit. A refusal before the
 * first byte is shown as a page.
 */
export async function streamFile(
  context: WorkspaceContext,
  { name, format }: { readonly name: string; readonly format: keyof typeof types },
  writeRows: (write: (text: string) => Promise<boolean>) => Promise<number>,
): Promise<Result> {
  const stream = new PassThrough();
  const closed = new Promise<false>((resolve) => stream.once('close', () => resolve(false)));
  const begun = Promise.withResolvers<void>();
  const writtenCount = writeToStream(stream, (write) =>
    writeRows((text) => {
      begun.resolve();
      // Also wait for the connection to close, because a write to a browser that has left never
      // ends.
      return Promise.race([write(text), closed]);
    }),
  );
  writtenCount.then(
    () => stream.end(),
    (error: Error) => {
      begun.reject(error);
      stream.destroy(error);
    },
  );
  await begun.promise;
  const file = `${context.workspace.slug}-${name}-${utcDay(context.clock())}.${format}`;
  return { download: { name: file, type: types[format], stream } };
}
