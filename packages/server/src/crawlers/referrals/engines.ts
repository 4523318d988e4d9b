import referrers from './referrers.json' with { type: 'json' };

/**
 * Answer engines that send visitors, by their hosts, the packages of their Android apps, and what they
 * write as `utm_source` into their links. A bare word is here only if the product documents that it writes
 * it, because anyone may call a campaign `copilot`. `docs/crawlers.md` shows the same table.
 */
const engines = new Map(
  Object.entries(referrers).flatMap(([engine, words]) =>
    words.split(' ').map((word) => [word, engine] as const),
  ),
);

/** A whole host of the table, in the form that some platforms encode, too. */
const knownHost = new RegExp(
  String.raw`^[a-z][a-z-]*(?:://|%3a%2f%2f)(?:www\.)?(${Array.from(engines.keys(), (word) => word.replaceAll('.', String.raw`\.`)).join('|')})(?:[:/?#%]|$)`,
  'i',
);

/**
 * The answer engine that a visitor came from, by what the log has as `Referer` and as target. The target's
 * `utm_source` counts only without a `Referer`: people pass such links on, and a page's own links keep them.
 */
export function engineOf(referer: string | null, target: string): string | undefined {
  if (referer !== null && referer !== '-' && referer !== '') {
    return engines.get(knownHost.exec(referer)?.[1]?.toLowerCase() ?? '');
  }
  if (!target.includes('utm_source=')) return undefined;
  const [search = ''] = target.slice(target.indexOf('?') + 1).split(/[# ]/, 1);
  const source = new URLSearchParams(search).get('utm_source') ?? '';
  return engines.get(source.toLowerCase().replace(/^www\./, ''));
}
