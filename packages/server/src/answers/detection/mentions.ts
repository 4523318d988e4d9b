import type { Affixes } from './affixes.ts';
import type { Candidate } from './aliases.ts';
import { isWholeWord } from './boundary.ts';
import type { Link } from './links.ts';

/**
 * The first mention of each subject, by subject. Whole words only; nothing within a link; and where
 * names overlap the longest counts, so that `Apple Music` is not also `Apple`. `candidates` and
 * `links` are in the order of the text.
 */
export function firstMentions(
  text: string,
  candidates: readonly Candidate[],
  { links, affixes }: { links: readonly Link[]; affixes?: Affixes | undefined },
): Map<number, Candidate> {
  const first = new Map<number, Candidate>();
  const isLinked = createLinkTest(links);
  let cluster: Candidate[] = [];
  let end = 0;
  for (const candidate of candidates) {
    if (isLinked(candidate)) continue;
    if (candidate.start >= end) settle();
    cluster.push(candidate);
    end = Math.max(end, candidate.end);
  }
  settle();
  return first;

  /** Judges names that overlap, if any of them could still be a first mention. */
  function settle(): void {
    if (cluster.some(({ subject }) => !first.has(subject))) {
      for (const mention of longest(text, cluster, affixes)) {
        const known = first.get(mention.subject);
        if (known === undefined || mention.start < known.start) first.set(mention.subject, mention);
      }
    }
    cluster = [];
  }
}

function longest(
  text: string,
  cluster: readonly Candidate[],
  affixes: Affixes | undefined,
): Candidate[] {
  const taken: Candidate[] = [];
  const byLength = cluster.length === 1 ? cluster : cluster.toSorted(byPreference);
  for (const candidate of byLength) {
    const place = taken.findIndex(({ end }) => end > candidate.start);
    const next = place === -1 ? undefined : taken[place];
    if (next !== undefined && next.start < candidate.end) continue;
    if (candidate.isMelted === true && affixes?.hasMeltedArticle !== true) continue;
    if (!isWholeWord(text, candidate, affixes)) continue;
    taken.splice(place === -1 ? taken.length : place, 0, candidate);
  }
  return taken;
}

/** Longest first; then by place, and by the subject's number, which does not hang on the order given. */
function byPreference(left: Candidate, right: Candidate): number {
  return (
    right.end - right.start - (left.end - left.start) ||
    left.start - right.start ||
    left.subject - right.subject
  );
}

/** Asked in the order of the text. */
function createLinkTest(links: readonly Link[]): (candidate: Candidate) => boolean {
  let next = 0;
  return function isLinked({ start, end }) {
    for (let link = links[next]; link !== undefined && link.end <= start; link = links[next])
      next += 1;
    const link = links[next];
    return link !== undefined && link.start < end;
  };
}
