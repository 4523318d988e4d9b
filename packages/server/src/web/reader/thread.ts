/**
 * The entry of the threads that read reports for pages and the API. They are separate threads because
 * a long report would block the server's event loop. The first message says that the thread is ready.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { assumeType } from '../../values/assume-type.ts';
import { isRefusal } from '../../refusals.ts';
import { readReportBody } from '../../api/read-report-body.ts';
import { openStore } from '../../storage/open/open-store.ts';
import type { Store } from '../../storage/store.ts';
import type { ReaderStart, ReportRequest, ReadOutcome } from './report-reader.ts';
import { runReport } from './run-report.ts';

const connectionsMax = 2;

const { database, prices } = assumeType<ReaderStart>(workerData);
let store: Store | undefined;

parentPort?.on('message', (message) => {
  void respond(assumeType<ReportRequest>(message)).then((outcome) =>
    parentPort?.postMessage(outcome),
  );
});

parentPort?.postMessage('ready');

async function respond(request: ReportRequest): Promise<ReadOutcome> {
  try {
    store ??= await openStore(database, { connectionsMax });
    const { workspaceId } = request;
    const { db, release } = await store.snapshot({ workspaceId, isBrief: true });
    try {
      if ('endpoint' in request) return { body: await readReportBody(db, request) };
      const { name, query } = request;
      // Read from the snapshot, because another read would wait for the connection that the
      // snapshot uses.
      const source = { db, workspaceId, store: { ...store, reader: db }, prices };
      return { json: JSON.stringify(await runReport(source, name, query)) };
    } finally {
      await release();
    }
  } catch (thrown) {
    const error = store === undefined ? thrown : store.mapFailure(thrown);
    return isRefusal(error) ? { refusal: { code: error.code, facts: error.facts } } : { error };
  }
}
