import type { FoundBody, ReportBodyQuery } from './service/dependencies.ts';
import type { ReadRequest } from './request/read-request.ts';
import { readSnapshotBody } from './response/ready-body.ts';
import { servedEndpoints } from './served-endpoints.ts';

/** Reads the body of a report from a snapshot, with its revision, here in this thread. */
export async function readReportBody(
  db: ReadRequest['db'],
  { workspaceId, endpoint: name, search, today }: Omit<ReportBodyQuery, 'revision'>,
): Promise<FoundBody> {
  const served = servedEndpoints.find(({ endpoint }) => endpoint.name === name);
  const prepared = served?.prepare(search, today);
  const body =
    served &&
    prepared &&
    (await readSnapshotBody(db, { endpoint: served.endpoint, prepared, workspaceId, today }));
  if (body === undefined) throw new Error(`The report ${name} has no whole body`);
  return body;
}
