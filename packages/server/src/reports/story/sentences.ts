import type { ShareRow } from '@overheard/contract';
import { percent, pointsWords } from '../../values/figure-words.ts';
import { inList } from '../../values/in-list.ts';
import { printable } from '../../values/printable.ts';
import type { Comparison } from '../../values/statistics/compare.ts';

/** Words of a sentence. `up` and `down` mark a proven change. */
export interface StoryPart {
  readonly text: string;
  readonly tone: 'up' | 'down' | 'plain';
}

/** A sentence, in parts. */
export type Sentence = readonly StoryPart[];

/** One proven change. */
export interface Change {
  readonly kind: 'total' | 'engine' | 'rival' | 'prompt';
  readonly row: ShareRow;
  /** Its name in a list: an engine or a rival. */
  readonly name: string;
  readonly tone: 'up' | 'down';
  readonly before: number;
  readonly now: number;
}

/** "Half as many" is a ratio between these. */
const half = { low: 0.45, high: 0.55 };
const namedMax = 3;
const promptLettersMax = 90;

/** A sentence as text. */
export function sentenceText(sentence: Sentence): string {
  return sentence.map(({ text }) => text).join('');
}

/** The whole story as text. */
export function storyText({
  headline,
  lines,
}: {
  readonly headline: Sentence;
  readonly lines: readonly Sentence[];
}): string {
  return [headline, ...lines].map(sentenceText).join(' ');
}

/** The first sentence: what changed, from which figure to which. */
export function headlineOf(
  { kind, row, name, tone, before, now }: Change,
  brand: string,
): Sentence {
  const figures = { text: `${percent(now)}, from ${percent(before)}`, tone };
  const moved = { text: movedWords({ tone, before, now }), tone };
  const isHalf = now >= half.low * before && now <= half.high * before;
  if (kind === 'prompt') {
    const prompt = `“${printable(row.prompt ?? '', { lengthMax: promptLettersMax })}”`;
    return isHalf
      ? [plain(`${brand} now appears half as often for ${prompt}: `), figures, plain('.')]
      : [plain(`For ${prompt}, ${brand} `), moved, plain('.')];
  }
  if (kind === 'engine') {
    return isHalf
      ? [plain(`${name} now shows ${brand} in half as many answers: `), figures, plain('.')]
      : [plain(`On ${name}, ${brand} `), moved, plain('.')];
  }
  return isHalf
    ? [plain(`${row.name} now appears in half as many answers: `), figures, plain('.')]
    : [plain(`${row.name} `), moved, plain('.')];
}

function movedWords({ tone, before, now }: Pick<Change, 'tone' | 'before' | 'now'>): string {
  const verb = tone === 'up' ? 'rose' : 'fell';
  const [from, to] = [percent(before), percent(now)];
  return from === to
    ? `${verb} by ${pointsWords(now - before)}, to ${to} of answers`
    : `${verb} from ${from} to ${to} of answers`;
}

/** The engines that moved the other way, then those that moved the same way. */
export function engineParts(others: readonly Change[], first: Change): Sentence {
  if (first.kind !== 'total' && first.kind !== 'engine') return [];
  const engines = others.filter(({ kind }) => kind === 'engine').slice(0, namedMax);
  const opposite = engines.filter(({ tone }) => tone !== first.tone);
  const same = engines.filter(({ tone }) => tone === first.tone);
  const parts = [
    listParts(opposite),
    first.kind === 'engine' ? listParts(same, 'also ') : mostParts(same[0], first),
  ];
  return parts
    .filter((part) => part.length > 0)
    .flatMap((each, index) => (index === 0 ? each : [plain(' '), ...each]));
}

/** The engine behind a change of the total, if it moved by clearly more than the total. */
function mostParts(engine: Change | undefined, total: Change): StoryPart[] {
  if (engine === undefined || sizeOf(engine.row) < 1.5 * sizeOf(total.row)) return [];
  const verb = engine.tone === 'up' ? 'rose' : 'fell';
  const points = pointsWords(engine.now - engine.before);
  return [{ text: `${engine.name} ${verb} most`, tone: engine.tone }, plain(`, by ${points}.`)];
}

/** The rivals that moved. */
export function rivalParts(others: readonly Change[]): Sentence {
  const rivals = others.filter(({ kind }) => kind === 'rival').slice(0, namedMax);
  const [up, down] = ['up', 'down'].map((tone) => rivals.filter((rival) => rival.tone === tone));
  return [up ?? [], down ?? []].flatMap((some) =>
    some.length === 0 ? [] : [...listParts(some), plain(' ')],
  );
}

/** `ChatGPT and Claude rose by 13 and 15 points.` All of the list move the same way. */
function listParts(changes: readonly Change[], also = ''): StoryPart[] {
  const [one] = changes;
  if (one === undefined) return [];
  const names = inList(changes.map(({ name }) => name));
  const sizes = changes.map(({ before, now }) => pointsWords(now - before));
  const words = inList(
    sizes.map((size, index) => (index === sizes.length - 1 ? size : size.replace(/ points?$/, ''))),
  );
  const verb = one.tone === 'up' ? 'rose' : 'fell';
  return [{ text: `${names} ${also}${verb}`, tone: one.tone }, plain(` by ${words}.`)];
}

/** What all engines together did, if the story begins with one of them or a prompt. */
export function overallParts(
  { rate_verdict: verdict }: ShareRow,
  first: Change,
  others: readonly Change[],
): Sentence {
  if (first.kind === 'total' || first.kind === 'rival') return [];
  const space = others.some(({ kind }) => kind === 'engine') ? ' ' : '';
  if (verdict === 'within_chance') return [plain(`${space}Overall there is no real change.`)];
  return verdict === 'up' || verdict === 'down'
    ? [plain(`${space}Overall no change is sure yet.`)]
    : [];
}

/** Who leads in the same answers; empty if that cannot be said. */
export function leadSentence(
  lead: { readonly rival: string; readonly comparison: Comparison } | undefined,
  brand: string,
): Sentence {
  if (lead === undefined) return [];
  const { rival, comparison } = lead;
  const { change, verdict } = comparison;
  if (verdict === 'within_chance') return [plain(`Neither ${brand} nor ${rival} leads for sure.`)];
  if (change === undefined || verdict === 'too_few') return [];
  const points = pointsWords(change);
  return [
    plain(change > 0 ? `${brand} leads ${rival} by ${points}.` : `${rival} leads by ${points}.`),
  ];
}

/** The size of a change of a rate. */
export function sizeOf({ rate_change: change }: ShareRow): number {
  return Math.abs(change ?? 0);
}

/** Words without a tone. */
export function plain(text: string): StoryPart {
  return { text, tone: 'plain' };
}
