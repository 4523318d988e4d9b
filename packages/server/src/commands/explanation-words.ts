import type { Counts } from '../answers/scores/share.ts';
import type { ExplainedCitation, ExplainedRun, Explanation } from '../answers/scores/explain.ts';
import { printableLines } from '../values/printable.ts';

/** An explained score for a person to read. */
export function explanationWords(explanation: Explanation): string {
  const lines = [
    ...figureLines(explanation),
    ...leftOutLines(explanation),
    '',
    `Counted runs (${explanation.runs.length}):`,
    ...explanation.runs.flatMap(runLines),
  ];
  return printableLines(lines);
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
}: Explanation): string[] {
  const { brand, runs } = counts;
  const isImported = stored?.origin === 'imported';
  return [
    `${engine} on ${date} (UTC)`,
    ...(stored === undefined
      ? ['There is no score: no run is counted.']
      : [
          `  score       ${count(stored.citations, 'citation')} of ${count(stored.total_runs, 'run')}, share of voice ${stored.sov.toFixed(4)} (${stored.origin})`,
        ]),
    ...(isImported ? ['It was imported: it need not agree with the runs below.'] : []),
    `  citations   ${brand} of ${count(runs, 'counted run')} cite the brand${interval === undefined ? '' : `; 95 % Wilson interval ${percent(interval.low)} to ${percent(interval.high)}`}`,
    ...(runs === 0
      ? []
      : [
          `  named       ${rate(named, runs)}`,
          `  linked      ${rate(linked, runs)}; a run may be both`,
        ]),
    `  competitors ${count(counts.competitors, 'cited run')}${competitors.length === 0 ? '' : `: ${competitors.map(({ subject, runs: cited }) => `${subject} ${cited}`).join(', ')}`}`,
    `  share       ${shareWords(counts, sov)}`,
  ];
}

/** The share as one fraction, with the parts of its denominator. */
function shareWords({ brand, competitors }: Counts, sov: number): string {
  const whole = brand + competitors;
  if (whole === 0) return `${sov.toFixed(4)}: nobody was cited`;
  return `${brand} / ${whole} (${brand} + ${competitors}) = ${sov.toFixed(4)}`;
}

function rate(part: number, whole: number): string {
  return `${part} of ${count(whole, 'counted run')} (${percent(part / whole)})`;
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(2)} %`;
}

function leftOutLines({ branded, uncounted, imported }: Explanation): string[] {
  const { refused, empty, failed } = uncounted;
  return [
    ...(branded.length > 0 ? ['Left out, because the prompt names the brand:'] : []),
    ...branded.map(({ asked, runs }) => `  ${count(runs, 'run')} of "${asked}"`),
    ...(refused + empty + failed > 0
      ? [`Left out, because not answered: ${refused} refused, ${empty} empty, ${failed} failed.`]
      : []),
    ...(imported > 0
      ? [`Left out, because imported without their answers: ${count(imported, 'run')}.`]
      : []),
  ];
}

function runLines({ run_id: id, run_at: at, asked, cited }: ExplainedRun): string[] {
  return [
    '',
    `${at}  ${id}`,
    `  asked: ${asked}`,
    ...(cited.length === 0 ? ['  nobody was cited'] : cited.flatMap(citationLines)),
  ];
}

function citationLines(citation: ExplainedCitation): string[] {
  const { subject, subject_type: type, rank, position, alias, sentence, url } = citation;
  const whose = type === 'brand' ? `${subject} (the brand)` : subject;
  const how = position === null ? `linked: ${url ?? ''}` : `named "${alias ?? ''}" at ${position}`;
  const also = position !== null && url !== null ? `, linked: ${url}` : '';
  const ground = sentence === null ? [] : [`       ${sentence}`];
  return [`  ${rank ?? '-'}. ${whose}, ${how}${also}`, ...ground];
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
