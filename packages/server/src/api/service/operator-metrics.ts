import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { OperatorFacts } from '../../reports/operator-facts.ts';
import type { ConnectionCounts } from '../../storage/store.ts';
import { version } from '../../version.ts';

/** What a scrape reads; undefined if the database does not respond. */
export interface Scraped {
  readonly facts: OperatorFacts | undefined;
  readonly connections: ConnectionCounts | undefined;
  /** When the newest kept backup was made, in milliseconds since 1970. */
  readonly backupMs: number | undefined;
  /** Bytes of log lines that wait to be read; undefined if this server takes none. */
  readonly waitingBytes: number | undefined;
}

/** Adds the gauges of what an operator watches, and returns a function that sets them. */
export function createOperatorMetrics(registry: Registry): (scraped: Scraped) => void {
  const clears: Array<() => void> = [];
  function gauge<Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Gauge<Label> {
    const made = new Gauge({ name: `overheard_${name}`, help, labelNames, registers: [registry] });
    clears.push(() => {
      made.reset();
      // `reset` sets a gauge without labels to 0, which alerts would read as the year 1970.
      if (labelNames.length === 0) made.remove();
    });
    return made;
  }
  const build = gauge('build_info', 'The version, as a label of 1.', ['version']);
  const up = gauge(
    'database_up',
    '1 if the database responds, else 0; then what is read from it is missing.',
  );
  const size = gauge('database_size_bytes', 'Size of the database.');
  const connections = gauge('database_connections', 'PostgreSQL connections of this process.', [
    'state',
  ]);
  const jobs = gauge('jobs', 'Jobs that are stored, by kind and state.', ['kind', 'state']);
  const readings = gauge('readings', 'Questions of the UTC day to engines, by state.', ['state']);
  const spent = gauge('spent_usd', 'Spent in the UTC day or month; scope "all" is all engines.', [
    'scope',
    'period',
  ]);
  const cap = gauge('cap_usd', "The operator's cap, where there is one.", ['scope', 'period']);
  const off = gauge('engine_off', '1 if the engine is switched off, else 0.', ['engine']);
  const lists = gauge(
    'lists_timestamp_seconds',
    "When operators' lists were last fetched; missing if never.",
  );
  const answer = gauge('last_answer_timestamp_seconds', 'Moment of the newest answer.', [
    'workspace_id',
  ]);
  const ingest = gauge('last_ingest_timestamp_seconds', 'When log lines were last read.', [
    'workspace_id',
  ]);
  const backup = gauge(
    'last_backup_timestamp_seconds',
    'When the newest kept backup was made; missing if there is none.',
  );
  const waiting = gauge(
    'received_waiting_bytes',
    'Log lines that this server received and has not read yet; missing if it takes none.',
  );

  return function set({ facts, connections: counts, backupMs, waitingBytes }) {
    for (const clear of clears) clear();
    build.labels(version).set(1);
    up.set(facts === undefined ? 0 : 1);
    if (counts !== undefined) {
      for (const state of ['used', 'idle', 'waiting'] as const) {
        connections.labels(state).set(counts[state]);
      }
    }
    setMoment(backup, backupMs);
    if (waitingBytes !== undefined) waiting.set(waitingBytes);
    if (facts === undefined) return;
    size.set(facts.databaseBytes);
    for (const { kind, state, count } of facts.jobs) jobs.labels(kind, state).set(count);
    for (const { state, count } of facts.readings) readings.labels(state).set(count);
    for (const { scope, period, spentUsd, capUsd } of facts.spend) {
      spent.labels(scope || 'all', period).set(spentUsd);
      if (capUsd !== null) cap.labels(scope || 'all', period).set(capUsd);
    }
    for (const { name, offReason } of facts.engines) off.labels(name).set(offReason ? 1 : 0);
    setMoment(lists, facts.listsMs);
    for (const { id, answerMs, ingestMs } of facts.workspaces) {
      setMoment(answer.labels(id), answerMs);
      setMoment(ingest.labels(id), ingestMs);
    }
  };
}

function setMoment(gauge: { set(value: number): void }, ms: number | undefined): void {
  if (ms !== undefined) gauge.set(ms / 1000);
}
