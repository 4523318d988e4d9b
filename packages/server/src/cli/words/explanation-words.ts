import type { Explanation } from '../../answers/scores/explain-score.ts';
import type { ExplainedCitation, ExplainedRun } from '../../answers/scores/explained-runs.ts';
import type { Counts } from '../../values/statistics/share-of-voice.ts';
import { plural } from '../../values/plural.ts';
import type { Lines } from '../../values/printable.ts';

/** An explained score for a person to read. */
export function explanationLines(explanation: Explanation, slug: string): Lines {
  return [
    ...figureLines(explanation),
    ...promptLines(explanation, slug),
    ...leftOutLines(explanation),
    '',
    `Counted runs (${explanation.runs.length}):`,
    ...explanation.runs.flatMap(explainedRunLines),
  ];
}

function figureLines({
  date,
  engine,
  stored,
  counts,
  named,
  linked,
  sov,
  competitors,
  interval,
  competitor_prompts: competitorPrompts,
  without_competitor_prompts: without,
}: Explanation): Lines {
  const { brand, runs } = counts;
  const isImported = stored?.origin === 'imported';
  return [
    `${engine} on ${date} (UTC)`,
    stored === undefined
      ? 'There is no score: no run is counted.'
      : `  score       ${plural(stored.citations, 'citation')} of ${plural(stored.total_runs, 'run')}, share of voice ${stored.sov.toFixed(4)} (${stored.origin})`,
    isImported && 'It was imported, so it may differ from the runs below.',
    `  citations   ${brand} of ${plural(runs, 'counted run')} cite the brand${interval === undefined ? '' : `; 95 % Wilson interval ${percent(interval.low)} to ${percent(interval.high)}`}`,
    runs > 0 && `  named       ${rate(named, runs)}`,
    runs > 0 && `  linked      ${rate(linked, runs)}; a run may be both`,
    `  competitors ${plural(counts.competitors, 'cited run')}${competitors.length === 0 ? '' : `: ${competitors.map(({ subject, runs: cited }) => `${subject} ${cited}`).join(', ')}`}`,
    `  share       ${shareWords(counts, sov)}`,
    competitorPrompts.length > 0 &&
      `  without     ${shareWords(without.counts, without.sov)} over ${plural(without.counts.runs, 'run')} of prompts that name no competitor`,
  ];
}

/** The share as one fraction, with the parts of its denominator. */
function shareWords({ brand, competitors }: Counts, sov: number): string {
  const whole = brand + competitors;
  if (whole === 0) return `${sov.toFixed(4)}: nobody was cited`;
  return `${brand} / ${whole} (${brand} + ${competitors}) = ${sov.toFixed(4)}`;
}

function rate(part: number, whole: number): string {
  return `${part} of ${plural(whole, 'counted run')} (${percent(part / whole)})`;
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(2)} %`;
}

function promptLines({ branded, ...explanation }: Explanation, slug: string): Lines {
  const { competitor_prompts: competitorPrompts, unclassified } = explanation;
  return [
    competitorPrompts.length > 0 &&
      'Counted, although the prompt names a competitor, which most answers then repeat:',
    ...competitorPrompts.map(promptLine),
    unclassified > 0 &&
      `Whether the prompt names a competitor is unknown for ${plural(unclassified, 'counted run')}. Find out with \`overheard answers redetect --workspace ${slug}\`.`,
    branded.length > 0 && 'Left out, because the prompt names the brand:',
    ...branded.map(promptLine),
  ];
}

function promptLine({ asked, runs }: Explanation['branded'][number]): string {
  return `  ${plural(runs, 'run')} of "${asked}"`;
}

function leftOutLines({ uncounted, imported }: Explanation): Lines {
  const { refused, empty, failed } = uncounted;
  return [
    refused + empty + failed > 0 &&
      `Left out, because not answered: ${refused} refused, ${empty} empty, ${failed} failed.`,
    imported > 0 && `Left out, because imported without their answers: ${plural(imported, 'run')}.`,
  ];
}

/** A run and the subjects that it cites, with the sentences. */
export function explainedRunLines({
  run_id: id,
  run_at: at,
  asked,
  cited,
  ...run
}: ExplainedRun): string[] {
  return [
    '',
    `${at}  ${id}`,
    `  asked: ${asked}${run.names_competitor === true ? ' (names a competitor)' : ''}`,
    ...(cited.length === 0 ? ['  nobody was cited'] : cited.flatMap(citationLines)),
  ];
}

function citationLines(citation: ExplainedCitation): string[] {
  const { subject, subject_type: type, rank, position, url, sentence } = citation;
  const whose = type === 'brand' ? `${subject} (the brand)` : subject;
  const beginning = `  ${rank ?? '-'}. ${whose}, `;
  if (position === null) {
    return [`${beginning}linked: ${url ?? ''}`, ...sentenceLine(sentence)];
  }
  const also = url === null ? '' : `, linked: ${url}`;
  const left = citation.mentions_total - citation.mentions.length;
  return [
    ...bySentence(citation.mentions).flatMap((group, index) => [
      index === 0 ? `${beginning}named ${placeWords(group)}${also}` : `     ${placeWords(group)}`,
      ...sentenceLine(group[0]?.sentence ?? null),
    ]),
    ...(left > 0 ? [`     ${plural(left, 'more mention')}; --mentions shows more`] : []),
  ];
}

type Mentions = ExplainedCitation['mentions'];

/** Groups neighbouring mentions of one sentence, so that the sentence is shown once. */
function bySentence(mentions: Mentions): Mentions[] {
  const groups: Array<[...Mentions]> = [];
  for (const mention of mentions) {
    const last = groups.at(-1);
    if (last?.[0]?.sentence === mention.sentence) last.push(mention);
    else groups.push([mention]);
  }
  return groups;
}

function placeWords(mentions: Mentions): string {
  return mentions.map(({ text, position }) => `"${text}" at ${position}`).join(', ');
}

function sentenceLine(sentence: string | null): string[] {
  return sentence === null ? [] : [`       ${sentence}`];
}
