import type { ImportSummary } from '../../../answers/import/import-answers.ts';
import { plural } from '../../../values/plural.ts';

/** Describes the times without a zone that an import has read. */
export function timeZoneWords(
  { times, ambiguous }: ImportSummary['local'],
  zone: string | undefined,
): string[] {
  const rows = (count: number) => `${plural(count, 'row')} ${count === 1 ? 'has' : 'have'} a time`;
  const isGuessed = times > 0 && zone === undefined;
  return [
    ...(isGuessed
      ? [`${rows(times)} without a zone, which is read as UTC. Name its zone with --timezone.`]
      : []),
    ...(ambiguous > 0
      ? [`${rows(ambiguous)} that occurs twice in ${zone}. The earlier one is taken.`]
      : []),
  ];
}

export const timeZoneHelp = `
With a mapping, --as or --timezone, run_at may be a time without a zone: 2026-11-18 09:30. A time that the
zone's clocks show twice is the earlier of the two; one that they skip is refused. A day alone,
2026-11-18, is that UTC day in every zone, because figures are counted by UTC day.
`;
