import { printable } from '../../values/printable.ts';
import type { JudgedHit } from '../hits/write-hits.ts';
import { ownEvidence, readHeaders } from '../hits/hit.ts';
import { hasReason } from '../hits/reasons.ts';
import type { SkipReason } from '../log-line.ts';

/** Hits that have the address of a proxy. */
export interface ProxyNote {
  /** The list that has the addresses, or null if a header names other clients. */
  readonly list: string | null;
  /** Whether the proxy is trusted, but no header of its own names the client. */
  readonly isTrusted: boolean;
  /** What would decide, if neither the list nor such a header says it. */
  readonly detail: string | null;
  readonly hits: number;
  readonly address: string;
}

export type IngestTally = ReturnType<typeof createIngestTally>;

export type IngestSummary = ReturnType<IngestTally['summarise']>;

const exampleLength = 160;

/** Counts what an ingest reads. */
export function createIngestTally(secrets: readonly string[] = []) {
  const counts = {
    /** The sum of new hits, known hits, other traffic and skipped lines. */
    lines: 0,
    hitsNew: 0,
    hitsKnown: 0,
    otherTraffic: 0,
    skipped: 0,
    /** New visits of people whom an answer sent. They are among other traffic. */
    referralsNew: 0,
  };
  /** Each with the beginning of the first such line, safe to print. */
  const skips = new Map<SkipReason, { lines: number; example: string }>();
  const proxies = new Map<string, ProxyNote>();
  let from: string | undefined;
  let to = '';
  return { addOther, skip, addWritten, summarise };

  function addOther(): void {
    counts.lines++;
    counts.otherTraffic++;
  }

  function skip(reason: SkipReason, example: string): void {
    counts.lines++;
    counts.skipped++;
    const counted = skips.get(reason);
    if (counted !== undefined) counted.lines++;
    else {
      let shown = example;
      for (const secret of secrets) shown = shown.replaceAll(secret, '***');
      const beginning = Buffer.from(shown.slice(0, 4 * exampleLength)).toString();
      skips.set(reason, { lines: 1, example: printable(beginning, { lengthMax: exampleLength }) });
    }
  }

  /** Takes the hits that were written, and how many hits and referrals are new. */
  function addWritten(
    hits: readonly JudgedHit[],
    { added, addedReferrals }: { added: number; addedReferrals: number },
  ): void {
    counts.referralsNew += addedReferrals;
    counts.lines += hits.length;
    counts.hitsNew += added;
    counts.hitsKnown += hits.length - added;
    for (const hit of hits) {
      if (from === undefined || hit.hit_at < from) from = hit.hit_at;
      if (hit.hit_at > to) to = hit.hit_at;
      const isProxy = hasReason(hit.evidence, ['proxy_address', 'private_address']);
      if (hit.address !== null && isProxy) noteProxy(hit, hit.address);
    }
  }

  function noteProxy({ evidence, signature }: JudgedHit, address: string): void {
    const { list = null, detail: hint } = ownEvidence(evidence) ?? {};
    const { forwarded, isProxy: isTrusted = false } = readHeaders(signature);
    const namesOther = forwarded !== undefined && !isTrusted;
    const detail = namesOther ? null : (hint ?? null);
    if (list === null && detail === null && !namesOther && !isTrusted) return;
    const kind = `${isTrusted} ${list} ${detail === null}`;
    const note = proxies.get(kind) ?? { list, isTrusted, detail, address, hits: 0 };
    proxies.set(kind, { ...note, hits: note.hits + 1 });
  }

  function summarise() {
    return {
      ...counts,
      /** The times of the first and the last hit that was read. */
      period: from === undefined ? undefined : { from, to },
      skips: [...skips].map(([reason, count]) => ({ reason, ...count })),
      proxies: [...proxies.values()],
    };
  }
}
