import { readKnownFiles } from '../../crawlers/operators/operator-file.ts';
import { updateRanges } from '../../crawlers/operators/update-ranges.ts';
import type { HostNames } from '../../crawlers/verify/host-names.ts';
import type { Store } from '../../storage/store.ts';
import { judgeUndecided } from '../../crawlers/hits/verify-hits.ts';
import { refusalWords } from '../words/refusals/refusal-words.ts';
import { areListsDue } from './daily-lists.ts';
import type { Io } from '../terminal/io.ts';

/** Fetches operators' lists that nobody asked for within a day, and judges the hits that wait for them. */
export async function updateIfOld(
  store: Store,
  { clock, signal }: Io,
  { hostNames }: { hostNames: HostNames | undefined },
): Promise<void> {
  if (!(await areListsDue(store, clock()))) return;
  const files = await readKnownFiles(store.writer);
  await updateRanges(store, { files, fetch, clock, signal, words: refusalWords });
  await judgeUndecided(store, { hostNames, clock, signal });
}
