import type { Affixes } from '../language/affixes.ts';
import type { Candidate } from './aliases.ts';
import { isWholeWord } from '../language/whole-word.ts';
import type { Link } from '../links/link.ts';

/** Where to look for mentions. Candidates and links are in the order of the text. */
export interface MentionSearch {
  readonly text: string;
  readonly candidates: readonly Candidate[];
  /** A candidate within one of these isn't a mention. */
  readonly links: readonly Link[];
  readonly affixes: Affixes | undefined;
}

/**
 * The first mention of each subject, by subject. Whole words only; nothing within a link; and where
 * names overlap the longest counts, so that `Apple Music` is not also `Apple`.
 */
export function firstMentions(search: MentionSearch): Map<number, Candidate> {
  const first = new Map<number, Candidate>();
  for (const cluster of clustersOf(search)) {
    // Skip a cluster that cannot hold a first mention: long answers repeat names.
    if (cluster.every(({ subject }) => first.has(subject))) continue;
    for (const mention of longest(cluster, search)) {
      if (!first.has(mention.subject)) first.set(mention.subject, mention);
    }
  }
  return first;
}

/** Finds every mention, in the order of the text, by the same rules as the first mentions. */
export function allMentions(search: MentionSearch): Candidate[] {
  return [...clustersOf(search)].flatMap((cluster) => longest(cluster, search));
}

/** Groups of candidates that overlap, without those in links. */
function* clustersOf({ candidates, links }: MentionSearch): Generator<readonly Candidate[]> {
  const isLinked = createLinkTest(links);
  let cluster: Candidate[] = [];
  let end = 0;
  for (const candidate of candidates) {
    if (isLinked(candidate)) continue;
    if (candidate.start >= end && cluster.length > 0) {
      yield cluster;
      cluster = [];
    }
    cluster.push(candidate);
    end = Math.max(end, candidate.end);
  }
  if (cluster.length > 0) yield cluster;
}

/** The mentions of a cluster, by where they begin. */
function longest(cluster: readonly Candidate[], { text, affixes }: MentionSearch): Candidate[] {
  const disjoint: Candidate[] = [];
  const byLength = cluster.length === 1 ? cluster : cluster.toSorted(byPreference);
  for (const candidate of byLength) {
    const place = disjoint.findIndex(({ end }) => end > candidate.start);
    const next = place === -1 ? undefined : disjoint[place];
    if (next !== undefined && next.start < candidate.end) continue;
    if (candidate.isMelted === true && affixes?.hasMeltedArticle !== true) continue;
    if (!isWholeWord(text, candidate, affixes)) continue;
    disjoint.splice(place === -1 ? disjoint.length : place, 0, candidate);
  }
  return disjoint;
}

/**
 * Sort by length, longest first, then by place, then by the subject's index, which does not depend
 * on the order of the input.
 */
function byPreference(left: Candidate, right: Candidate): number {
  return (
    right.end - right.start - (left.end - left.start) ||
    left.start - right.start ||
    left.subject - right.subject
  );
}

/** Call the returned function with candidates in the order of the text. */
function createLinkTest(links: readonly Link[]): (candidate: Candidate) => boolean {
  let next = 0;
  return function isLinked({ start, end }) {
    for (let link = links[next]; link !== undefined && link.end <= start; link = links[next])
      next += 1;
    const link = links[next];
    return link !== undefined && link.start < end;
  };
}
