import { shorten } from '../../answers/actions/gap-words.ts';
import type { GapKind } from '../../answers/actions/gap-kinds.ts';
import { withEngineNames } from '../../values/engine.ts';
import { fewDayWords } from './moment-words.ts';

const titleLengthMax = 120;
const reasonLengthMax = 240;
const stepLengthMax = 160;

/** What a gap is about, in a few words; undefined for a kind that an older version had. */
const kindWords: Readonly<Record<GapKind, string>> = {
  lost: 'Lost',
  absent: 'Never appears',
  'rarely cited': 'Rarely appears',
  'engine gap': 'Engine',
  declining: 'Falling',
  'not named': 'Not named',
  outranked: 'Behind others',
  'not linked': 'Not linked',
  'source page': 'Source',
  'not read': 'Page not read',
  'not cited': 'Page not linked',
  blocked: 'Bot refused',
};

/** A kind of gaps in words. */
export function gapKind(kind: string | null): string {
  return new Map<string, string>(Object.entries(kindWords)).get(kind ?? '') ?? 'Imported';
}

/**
 * A recommendation as pages say it: the title, up to its first colon outside of a quoted prompt, and
 * the first of its facts as one plain sentence. One of another form, such as an imported one, is the
 * title, with no reason.
 */
export function gapSentences(recommendation: string): { title: string; reason: string } {
  const sentence = withEngineNames(recommendation);
  const head = /^(?:"[^"]{0,300}"|[^":]|:(?! )){1,300}: /.exec(sentence)?.[0];
  if (head === undefined) return { title: shorten(sentence, titleLengthMax), reason: '' };
  const title = head
    .slice(0, -2)
    .replace(/^Get cited more often for /, 'Appear more often for ')
    .replace(/^Get cited for /, 'Appear for ');
  return { title, reason: reasonOf(sentence.slice(head.length)) };
}

/** The first step that fixes a gap, up to its first colon or semicolon. */
export function howWords(step: string | null): string | undefined {
  if (step === null) return undefined;
  return shorten(withEngineNames(step).split(/[:;] /)[0] ?? '', stepLengthMax);
}

function reasonOf(facts: string): string {
  const [first = ''] = facts.split(/; |\. |\.$/);
  const rival = /; cited instead: ([^;(]+) \((\d+)\)/.exec(facts);
  const ahead = /; cited before it: ([^;(]+) \((\d+)\)/.exec(facts);
  const plain = first
    .replace(/^of (.+? answers) of .+? that cite it, (\d+) cite a/, '$2 of $1 that link it show a')
    .replace(/^over \d+ prompts? it cites/, 'it shows')
    .replace(
      / verified requests (.+) were refused with 4xx or 5xx/,
      ' genuine requests were refused, $1',
    )
    .replace('is cited in', 'appears in')
    .replaceAll(/\d{4}-\d{2}-\d{2}/g, (day) => fewDayWords(day));
  const other = !first.includes('is cited in')
    ? ''
    : ahead !== null
      ? `, behind ${ahead[1]} in ${ahead[2]}`
      : rival !== null
        ? `, ${rival[1]} in ${rival[2]} of the others`
        : '';
  const [start = '', ...rest] = shorten(plain + other, reasonLengthMax);
  return start === '' ? '' : `${start.toUpperCase()}${rest.join('')}.`;
}
