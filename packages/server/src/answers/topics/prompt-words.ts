import { foldString } from '../detection/text/fold.ts';

/**
 * Words of questions about anything: question words, articles, prepositions, and what people write
 * around the thing that they look for. Folded.
 */
const generalWords = new Set(
  `a about all am among an and any are around as at available be been best better between buy buying by can cheap
  cheapest choose company companies compare compared comparison could do does find for from get give good
  great has have help how i ideal if in into is it its looking make makes me most much my need no not of
  offer offers on one or our out please product products provide rated recommend recommendation
  recommendations recommended review reviews she should some suggest than that the their them there these
  they this to today top use used using versus vs want was we what which who why will with without worth
  tool tools software app apps service services system systems solution solutions platform platforms brand
  brands would you your people help helps really something use uses i'm im i'd it's what's that's don't doesn't
  won't s up off down over under so when where while after before during well work works suit suits
  der die das den dem des ein eine einen einem einer eines und oder ist sind war wer wie was wo wann warum
  welche welcher welches welchen welchem wir ich mir mich mein meine fur mit ohne von vom zu zum zur im in
  auf aus bei nach uber unter am an als auch es gibt kann konnen beste bester bestes besten gut gute guter
  gutes suche vergleich empfehlen empfehlung lohnt eignet sich nicht
  le la les l un une des du de d et ou est sont qui que quel quelle quels quelles quoi comment pourquoi je
  nous mon ma mes notre pour avec sans dans sur au aux en par meilleur meilleure meilleurs meilleures bon
  bonne choisir comparatif avis il elle y
  el los las lo uno unos unas del al y o es son quien que cual cuales como donde por para con sin en mi mis
  se mejor mejores buen bueno buena comparar opiniones hay
  il lo gli i di da dei delle degli della nel nella e sono chi che quale quali come dove perche per con senza
  su mio mia miglior migliore migliori buon
  o os as um uma do da dos das no na nos nas e ou qual quais quem como onde para com sem melhor melhores bom
  boa
  het een de van en of is zijn wie wat welke hoe waar waarom voor met zonder op in te beste goede
  en ett den det och eller ar vilken vilket vilka vem hur vad var for med utan pa i av till basta bra
  og er hvilken hvilke hva hvem hvordan med uten til beste
  w we z ze na do dla i lub czy jest sa jaki jaka jakie ktory ktora ktore kto co jak gdzie dlaczego bez od
  najlepszy najlepsza najlepsze polecacie
  в на с со и или для без по из от как какой какая какие какое кто что где почему это лучшие лучший лучшая
  лучше выбрать
  の は が を に で と も か へ や から まで より です ます いい ある する ください 教え て おすすめ どれ どの 何 比較
  추천 추천해 추천해주세요 무엇인가요 어떤 어디 것이 좋은 좋나요 주세요 가장
  的 是 了 在 和 有 哪 哪些 哪个 什么 怎么 如何 最好 推荐 吗`.split(/\s+/),
);

/** A word of a prompt. */
export interface PromptWord {
  /** The folded word that stands for all words of its stem. */
  readonly stem: string;
  /** As it is written, and where. */
  readonly text: string;
  readonly start: number;
}

const letter = /\p{L}/u;
const segmenters = new Map<string, Intl.Segmenter>();

/**
 * The words of each prompt without general words and numbers. Words that differ in their endings, such
 * as `mattress` and `mattresses`, have one stem: the word that most prompts have.
 */
export function splitPrompts(
  prompts: ReadonlyArray<{ readonly text: string; readonly language: string }>,
): PromptWord[][] {
  const split = prompts.map(({ text, language }) => splitWords(text, language));
  const counts = new Map<string, number>();
  for (const { stem } of split.flat()) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const stems = stemsOf(counts);
  return split.map((words) =>
    words.map((word) => ({ ...word, stem: stems.get(word.stem) ?? word.stem })),
  );
}

function splitWords(prompt: string, language: string): PromptWord[] {
  const segmenter =
    segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'word' });
  segmenters.set(language, segmenter);
  return [...segmenter.segment(prompt)]
    .filter(({ segment, isWordLike }) => isWordLike === true && letter.test(segment))
    .map(({ segment, index }) => ({ stem: foldString(segment), text: segment, start: index }))
    .filter(({ stem }) => !generalWords.has(stem));
}

/** The word that stands for each word. Words of one stem are neighbours in alphabetical order. */
function stemsOf(counts: ReadonlyMap<string, number>): Map<string, string> {
  const groups: string[][] = [];
  for (const each of [...counts.keys()].toSorted()) {
    const group = groups.at(-1);
    const first = group?.[0];
    if (group !== undefined && first !== undefined && isInflected(first, each)) group.push(each);
    else groups.push([each]);
  }
  const count = (each: string): number => counts.get(each) ?? 0;
  return new Map(
    groups.flatMap((group) => {
      const [usual = ''] = group.toSorted(
        (one, other) => count(other) - count(one) || one.length - other.length,
      );
      return group.map((each) => [each, usual] as const);
    }),
  );
}

const hangul = /^\p{Script=Hangul}+$/u;

/**
 * Whether two words differ in their endings alone: by a plural s, or by at most three letters that
 * follow at least twice as many. Korean words end in particles.
 */
function isInflected(one: string, other: string): boolean {
  if (other === `${one}s`) return true;
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  const ending = Math.max(one.length, other.length) - shared;
  if (hangul.test(one)) return shared >= 2 && ending <= 2;
  return shared >= 4 && ending <= 3 && shared >= 2 * ending;
}
