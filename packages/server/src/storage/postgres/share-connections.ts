/** How many connections of each kind. */
export interface ConnectionShares {
  readonly reads: number;
  readonly admissions: number;
  readonly writes: number;
}

/**
 * Divides `connectionsMax` connections, at least 3, so that reads, admissions and writes do not wait
 * for each other. A server hardly writes; a command may write keys and data at the same time.
 */
export function shareConnections(connectionsMax: number): ConnectionShares {
  const writes = connectionsMax < 8 ? 1 : 2;
  const reads = Math.ceil((connectionsMax - writes) / 2);
  return { reads, admissions: connectionsMax - writes - reads, writes };
}
