import type { AdmissionResult } from './admission.ts';
import type { EndpointLine } from './endpoints.ts';
import type { FirstReadLine } from './first-read.ts';
import type { GrowthResult } from './growth.ts';
import type { ImportResult } from './import.ts';
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
export function growth(result: GrowthResult): string {
  return table(
    ['first reads as data grows', 'p50 ms', 'growth'],
    [
      ['5 workspaces', result.fewWorkspaces.toFixed(2), ''],
      [
        'all workspaces',
        result.manyWorkspaces.toFixed(2),
        times(result.manyWorkspaces / result.fewWorkspaces),
      ],
      ['hits of a usual workspace', result.usualHits.toFixed(2), ''],
      [
        'hits with 100 times as many',
        result.hundredfoldHits.toFixed(2),
        times(result.hundredfoldHits / result.usualHits),
      ],
    ],
  );
}

/** Admission alone. */
export function admission(result: AdmissionResult): string {
  return table(
    ['admission of one request', 'us'],
    [
      ['key and revision', result.withoutQuota.toFixed(1)],
      ['key, quota and revision', result.withQuota.toFixed(1)],
      ['the same, refused', result.refused.toFixed(1)],
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

function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function times(factor: number): string {
  return `${factor.toFixed(2)}x`;
}
