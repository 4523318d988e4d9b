import type { AliasFinder, Candidate } from './aliases.ts';
import { domainHost, hostOf } from '../links/host.ts';
import type { Link } from '../links/link.ts';
import type { Subject } from '../subject.ts';

/** The bare domains of an answer that name somebody, and the links whose words are no mention. */
export interface NamedDomains {
  readonly mentions: readonly Candidate[];
  readonly covering: readonly Link[];
}

/**
 * Makes a function that tells bare domains that are names from those that are addresses. A name is
 * a domain that is an alias (`monday.com`), or a subject's domain that is written as a name, with a
 * capital (`Notion.so`); `notion.so` is an address.
 */
export function createDomainNames(
  subjects: readonly Pick<Subject, 'domains'>[],
  { isAlias }: Pick<AliasFinder, 'isAlias'>,
): (text: string, links: readonly Link[]) => NamedDomains {
  const owners = new Map(
    subjects.flatMap(({ domains }, subject) =>
      domains.map((domain) => [domainHost(domain), subject] as const),
    ),
  );

  return function findNamedDomains(text, links) {
    const mentions: Candidate[] = [];
    const covering = links.filter(({ start, end, address, isDomain }) => {
      if (isDomain !== true || address === undefined) return true;
      const alias = text.slice(start, end);
      const subject = isName(alias) ? owners.get(hostOf(address)) : undefined;
      if (subject !== undefined) mentions.push({ subject, alias, start, end });
      return subject === undefined && !isAlias(alias);
    });
    return { mentions, covering };
  };
}

function isName(domain: string): boolean {
  return /\p{Lu}/u.test(domain) && !/^www\./i.test(domain);
}
