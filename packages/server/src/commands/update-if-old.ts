import { lastCheckMs } from '../crawlers/operators/list-ranges.ts';
import { readKnownFiles } from '../crawlers/operators/known-files.ts';
import { updateRanges } from '../crawlers/operators/update-ranges.ts';
import type { HostNames } from '../crawlers/verify/host-names.ts';
import type { Store } from '../storage/store.ts';
import { judgeUndecided } from '../crawlers/hits/judge-undecided.ts';
import type { Io } from './io.ts';

const dayMs = 86_400_000;

/** Fetches operators' lists that nobody asked for within a day, and judges the hits that wait for them. */
export async function updateIfOld(
  store: Store,
  { clock, signal }: Io,
  { hostNames }: { hostNames: HostNames | undefined },
): Promise<void> {
  const checkedMs = await lastCheckMs(store.reader);
  if (checkedMs !== undefined && Math.abs(clock() - checkedMs) < dayMs) return;
  const files = await readKnownFiles(store.writer);
  await updateRanges(store, { files, fetch, clock, signal });
  await judgeUndecided(store, { hostNames, clock, signal });
}
