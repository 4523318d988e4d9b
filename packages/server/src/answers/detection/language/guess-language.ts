/*
 * Words that only questions and answers of one language, or of its closest relatives, are full of.
 * English is among them, because a foreign word in an English question proves nothing.
 */
const stopWords: Readonly<Record<string, string>> = {
  en: 'the what which is are best for how to of and a an with my should can do does who where when why or on by from it its not you your i we us our be at this that top vs most there any good in as if than',
  da: 'hvad hvilken hvilket hvilke hvem hvor hvordan er bedste bedst og ikke til det der på mit jeg nogle af som billigste kan skal mellem små virksomheder fra bør man',
  nb: 'hva hvilken hvilket hvilke hvem hvor hvordan er beste best og ikke til det på mitt jeg noen av som billigste kan skal mellom små bedrifter fra bør man',
  sv: 'vad vilken vilket vilka vem var hur är bästa bäst och inte till det på mitt jag några av som billigaste kan ska mellan små företag från bör man för att',
  de: 'was welche welcher welches wer wo wie ist sind beste besten und nicht zu für der die das ein eine einen mein ich von mit kann soll zwischen gibt es auf im bei günstigste kleine unternehmen',
  nl: 'wat welke wie waar hoe zijn beste en niet te voor de het een mijn ik van met kan moet tussen op bij goedkoopste kleine bedrijven',
  fi: 'mikä mitkä mitä kuka missä mistä miten ovat paras parhaat parhaita parasta ja ei ole minun kannattaa valita ostaa suomessa halvin pitäisi onko hyvä pienelle yritykselle joka tai kuin on',
  hu: 'mi mit melyik melyek milyen ki hol hogyan legjobb legjobbak és nem az egy van vannak között vagy hogy kell lehet olcsó legolcsóbb érdemes magyarországon számára kis ajánlott',
  pl: 'co jaki jaka jakie który która które kto gdzie jak jest są najlepszy najlepsza najlepsze i nie do dla w na z czy między kupić wybrać warto tani najtańszy mogę się od po firmy polsce',
  cs: 'co jaký jaká jaké který která které kdo kde jak je jsou nejlepší nebo není pro v na z koupit vybrat mezi se si mám nejlevnější firmy malé česku lze jako',
  tr: 'ne nedir hangi hangisi hangileri kim nerede nasıl en iyi ve değil için bir mi mı mu var ile arasında almalıyım ucuz hangileridir küçük şirketler olan türkiye daha',
  fr: 'quel quelle quels quelles qui où comment est sont meilleur meilleure meilleurs meilleures et ne pas pour le la les un une des mon je de du avec dans sur entre choisir ou',
  es: 'qué que cuál cuáles quién dónde cómo es son mejor mejores y no para el la los las un una mi de del con en entre puedo o comprar elegir barato',
  it: 'che cosa quale quali chi dove come è sono migliore migliori miglior e non per il lo la i gli le un una mio di del con in tra posso comprare scegliere o',
  pt: 'que qual quais quem onde como é são melhor melhores e não para o a os as um uma meu de do da com em entre posso comprar escolher ou',
  ro: 'ce care cine unde cum este sunt cel mai bun bune cele și nu pentru un o de la cu în între',
  sk: 'čo aký aká aké ktorý ktorá ktoré kto kde ako je sú najlepší najlepšie alebo nie pre v na z kúpiť vybrať medzi sa si',
  et: 'mis milline millised kes kus kuidas on parim parimad ja ei või kas eestis osta valida',
};

const byWord = new Map<string, string[]>();
for (const [language, words] of Object.entries(stopWords)) {
  for (const word of words.split(' ')) {
    byWord.set(word, [...(byWord.get(word) ?? []), language]);
  }
}

const scoreMin = 2;

/**
 * The language in which a prompt is read, for the endings of names. An import without languages
 * makes every prompt English, so such a prompt is read by its letters and stop words. Its stored
 * language, its id and its cohort stay as they are.
 */
export function guessLanguage(language: string | undefined, prompt: string): string | undefined {
  if (language === undefined || !/^en(?:-|$)/i.test(language)) return language;
  return guessByScript(prompt) ?? guessByWords(prompt) ?? language;
}

/** Persian and Urdu have letters that Arabic lacks, and Russian's neighbours ones that it lacks. */
function guessByScript(prompt: string): string | undefined {
  if (/\p{Script=Hebrew}/u.test(prompt)) return 'he';
  if (/\p{Script=Hangul}/u.test(prompt)) return 'ko';
  if (/\p{Script=Arabic}/u.test(prompt)) return /[پچژگکیےٹڈڑں]/u.test(prompt) ? undefined : 'ar';
  const cyrillic = prompt.match(/\p{Script=Cyrillic}/gu)?.length ?? 0;
  if (cyrillic < 4 || 2 * cyrillic < (prompt.match(/\p{L}/gu)?.length ?? 0)) return undefined;
  if (/[іїєґ]/iu.test(prompt)) return 'uk';
  if (/[ђћџљњјўқғүұөәһ]/iu.test(prompt)) return undefined;
  return /[ыэё]|(?:^|\P{L})(?:что|как\p{L}*|где|лучш\p{L}*|для|или|и|в|купить|кто|чем)(?!\p{L})/iu.test(
    prompt,
  ) && !/[ъ](?=[бвгджзйклмнпрстфхцчшщ])|(?:^|\P{L})(?:кои|коя|най|за|са)(?!\p{L})/iu.test(prompt)
    ? 'ru'
    : undefined;
}

/** The language with the most stop words, long ones twice; undefined if two have as many. */
function guessByWords(prompt: string): string | undefined {
  const scores = new Map<string, number>();
  for (const [word] of prompt
    .normalize('NFC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{M}]+/gu)) {
    for (const language of byWord.get(word) ?? []) {
      scores.set(language, (scores.get(language) ?? 0) + (word.length > 3 ? 2 : 1));
    }
  }
  const [first, second] = [...scores].toSorted(([, left], [, right]) => right - left);
  if (first === undefined || first[0] === 'en' || first[1] < scoreMin) return undefined;
  return second === undefined || second[1] < first[1] ? first[0] : undefined;
}
