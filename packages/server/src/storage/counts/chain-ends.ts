import type { OwnPage } from './own-pages.ts';

/**
 * Sorts the own pages of a period where the chain from a bot's request to a citation is broken, by the
 * place of the break. A page may be in two lists. No page of a host without requests is `unread`, because the log of that
 * host may be missing.
 */
export function findChainEnds(pages: readonly OwnPage[]) {
  const requested = new Set(
    pages.flatMap(({ page, requests }) => (requests > 0 ? [hostOfPage(page)] : [])),
  );
  return {
    /** Verified bots read the page but no run cites it. Most reads for answers come first. */
    uncited: mostReadFirst(pages.filter(({ reads, runs }) => reads > 0 && runs.length === 0)),
    /** Runs cite the page but no bot requests it. Pages with the most runs come first. */
    unread: sortByWeight(
      pages.filter(({ page, requests, runs }) => {
        return runs.length > 0 && requests === 0 && requested.has(hostOfPage(page));
      }),
      ({ runs }) => [runs.length, 0],
    ),
    /** The page is refused to verified bots that read for answers. Most citing runs come first. */
    refused: sortByWeight(
      pages.filter(({ refusalsForAnswers: refusals }) => refusals > 0),
      (one) => [one.runs.length, one.refusalsForAnswers],
    ),
  };
}

/** Sorts pages by reads for answers, most first. */
export function mostReadFirst(pages: readonly OwnPage[]): OwnPage[] {
  return sortByWeight(pages, ({ readsForAnswers, reads }) => [readsForAnswers, reads]);
}

/** The host of a page, in the same form as in `page`. */
export function hostOfPage(page: string): string {
  return page.split('/', 1)[0] ?? '';
}

/**
 * Sorts pages by a count, most first. Pages with equal counts stay in the order of their addresses.
 */
function sortByWeight(
  pages: readonly OwnPage[],
  weightsOf: (page: OwnPage) => readonly [number, number],
): OwnPage[] {
  return pages.toSorted((left, right) => {
    const [[most, next], [more, other]] = [weightsOf(left), weightsOf(right)];
    return more - most || other - next;
  });
}
