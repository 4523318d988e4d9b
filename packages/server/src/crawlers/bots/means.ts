import type { Bot } from './catalogue.ts';

/** How a bot can be verified, in words. */
export function meansOf({ lists, dns, agent, isNeverSent, isAuthoritative }: Bot): string {
  if (isNeverSent) return 'never sent: every use is forged';
  const means = [
    ...lists,
    ...(dns.length > 0 ? [`host names ${dns.join(', ')}`] : []),
    ...(agent === undefined ? [] : [`signatures of ${agent}`]),
  ];
  if (means.length === 0) return 'nothing';
  const isPartial = !isAuthoritative && lists.length + dns.length > 0;
  return `${means.join('; ')}${isPartial ? ' (not complete)' : ''}`;
}
