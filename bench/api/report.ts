import { table } from '../section.ts';
import type { AdmissionResult } from './admission.ts';
import type { EndpointLine } from './endpoints.ts';
import type { FirstReadLine } from './first-read.ts';
import type { GrowthLine } from './growth.ts';
import type { ImportResult } from './import.ts';
import type { KeyTimesResult } from './key-times.ts';
import type { StreamResult } from './stream.ts';

/** Each endpoint beside the bare server, in rates and in CPU time. */
export function endpoints(lines: readonly EndpointLine[]): string {
  return table(
    [
      'endpoint',
      'status',
      'bytes',
      'answers/s',
      'p50 ms',
      'p99 ms',
      'CPU us',
      'bare/s',
      'bare CPU us',
      'ratio',
      'CPU ratio',
    ],
    lines.map((line) => [
      line.endpoint,
      String(line.status),
      String(line.bytes),
      line.perSecond.toFixed(0),
      line.p50.toFixed(2),
      line.p99.toFixed(2),
      line.cpuMicros.toFixed(0),
      line.referencePerSecond.toFixed(0),
      line.referenceCpuMicros.toFixed(0),
      percent(line.perSecond / line.referencePerSecond),
      percent(line.referenceCpuMicros / line.cpuMicros),
    ]),
  );
}

/** The server's memory under that load. */
export function memory({ now, peak }: { now: number; peak: number }): string {
  return table(
    ['resident memory under load', 'MB'],
    [
      ['at the end', now.toFixed(0)],
      ['highest', peak.toFixed(0)],
    ],
  );
}

/** First reads beside the bare query. */
export function firstReads(lines: readonly FirstReadLine[]): string {
  return table(
    ['first read after a change', 'answers/s', 'bare query + JSON.stringify/s', 'ratio'],
    lines.map(({ endpoint, perSecond, barePerSecond }) => [
      endpoint,
      perSecond.toFixed(0),
      barePerSecond.toFixed(0),
      percent(perSecond / barePerSecond),
    ]),
  );
}

/** The long answer. */
export function stream(result: StreamResult): string {
  return table(
    ['detections of one prompt', 'value'],
    [
      ['rows', String(result.rows)],
      ['MB', result.megabytes.toFixed(1)],
      ['first byte, ms', result.firstByteMs.toFixed(0)],
      ['MB/s', result.megabytesPerSecond.toFixed(0)],
      ['longest stall of the event loop, ms', result.longestStallMs.toFixed(0)],
      ['highest resident memory, MB', result.peakMemory.toFixed(0)],
    ],
  );
}

/** Medians with more data. */
export function growth(lines: readonly GrowthLine[]): string {
  return table(
    ['first read', 'with', 'p50 ms before', 'p50 ms after', 'growth'],
    lines.map(({ endpoint, grown, beforeMs, afterMs }) => [
      endpoint,
      grown,
      beforeMs.toFixed(2),
      afterMs.toFixed(2),
      `${(afterMs / beforeMs).toFixed(2)}x`,
    ]),
  );
}

/** Admission alone. */
export function admission(result: AdmissionResult): string {
  return table(
    ['admission of one request', 'us'],
    [
      ['key and revision, one at a time', result.alone.toFixed(1)],
      ['key and revision, 20 at once', result.withoutQuota.toFixed(1)],
      ['key, quota and revision, 20 at once', result.withQuota.toFixed(1)],
      ['the same, refused', result.refused.toFixed(1)],
    ],
  );
}

/** Whether a refusal tells which keys once opened something. */
export function keyTimes({ unknown, revoked, z }: KeyTimesResult): string {
  return table(
    ['refusal of one key', 'value'],
    [
      ['unknown, us', unknown.toFixed(1)],
      ['revoked, us', revoked.toFixed(1)],
      ['difference in standard errors', z.toFixed(1)],
    ],
  );
}

/** The import under load. */
export function importing(result: ImportResult): string {
  return table(
    ['import while others work', 'value'],
    [
      ['rows', String(result.rows)],
      ['rows/s', result.rowsPerSecond.toFixed(0)],
      ['highest resident memory, MB', result.peakMemory.toFixed(0)],
      ['longest wait of a read, ms', result.longestReadMs.toFixed(0)],
      ['longest wait of making and revoking a key, ms', result.longestRevocationMs.toFixed(0)],
    ],
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
