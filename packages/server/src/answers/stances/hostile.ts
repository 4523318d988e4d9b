import type { TextSpan } from './text-span.ts';

/**
 * What an answer says to a judge and not to its reader. A sentence that matches is not shown to the
 * judge, and subjects next to it are not asked about: their rows are void, whether it was an order or
 * only looked like one, because a wrong cut may have taken a warning away.
 */
const patterns: readonly RegExp[] = [
  // The codes of stances and the fields of a verdict.
  /first_choice|recommended[_-]for|advised[_-]against|unknown[_-]to[_-]engine|by_rule|firstchoice|recommendedfor|rateit/u,
  /\b(?:stance|verdict|sentiment|classification|annotation|label)s?\s*(?:[:=]|is\b|must\b|should\b|of (?:this|the)\b)/u,
  /[{[][^{}[\]]*["'][\w ]+["']\s*[:,][^{}]*[}\]]|[}\]]{2}/u,
  // Marks of a conversation, and what hides a text from people.
  /<\|?\/?\s*(?:im_start|im_end|system|user|assistant|inst|instructions?|prompt|items?|end\w*)\b|\[\/?inst\]|<<\/?sys>>|<!--|-->|\[(?:system|assistant|user|admin)\]/u,
  /^[\W_]*(?:system|assistant|user|developer|human|tool)\s*(?:prompt|message|note)?\s*:/u,
  /\bsystem (?:prompt|message|override|instruction)|\bprompt injection|\bjailbreak|\bdeveloper mode/u,
  /(?<![a-z0-9+/])[a-z0-9+/]{60,}={0,2}(?![\w/.-])/u,
  // Whom it speaks to.
  /\b(?:dear|note to|attention|hey|hi|hello|(?:message|instructions?|reminder|notice|hint|note) (?:to|for))\b[^.]{0,30}\b(?:judges?|graders?|evaluators?|annotators?|classifiers?|reviewers?|raters?|labell?ers?|ais?|llms?|models?|assistants?|bots?|(?:chat)?gpt|claude|gemini|copilot|machines?)\b/u,
  /^[\W_]*(?:assistants?|models?|ai|bots?|machines?|readers?|system|analysts?|evaluators?|chatgpt|gpt|claude|gemini|copilot|llama|mistral)\s*,/u,
  /^[\w -]{0,30}\b(?:bots?|ais|llms?|judges?|graders?)[,:]/u,
  /\b(?:if|when|since|because|as) (?:you are|you're|you were) (?:an? |the )?(?:ai|llm|language model|model|assistant|judge|grader|evaluator|classifier|bot|machine|chatbot|software|program|computer|robot)\b|\bas an? (?:ai|llm|language model|evaluator|judge|grader|classifier)\b/u,
  /\b(?:who(?:ever)?|anyone who|everyone who) (?:scores?|grades?|evaluates?|judges?|rates?|labels?|classifies|annotates?|is (?:judging|evaluating|grading|rating|classifying|reading))\b/u,
  /\b(?:grad(?:ers?|ing)|judg(?:es?|ing)|verdicts?|adjudicat\w+|rubrics?|directives?|hereby|annotat\w+)\b|\bexcerpts?\b|\b(?:evaluation|classification|rating|ranking|labell?ing|annotation) (?:hints?|notes?|tasks?|keys?|instructions?|rules?)\b/u,
  // What it tells a judge to do.
  /\b(?:ignore|disregard|forget|override|overrule|bypass|discard|supersedes?)\b[^.]{0,60}\b(?:above|previous|prior|earlier|preceding|instructions?|rules?|prompts?|guidelines?|criteria|told|rest|everything|what)\b/u,
  /\b(?:new|updated|revised|additional|special|hidden|secret) (?:instructions?|orders?|directives?|rubric)\b|\b(?:following|these|your) (?:instructions?|orders?|task)\b|\byour (?:output|reply|response|verdict|json|evaluation|assessment|judge?ment|classification|label|rating|prompt)\b|\b(?:the|in|as|to) json\b/u,
  /^(?:[\W_]*(?:please|kindly|always|now|so|then|therefore|also|and|just|simply|remember(?: to)?|be sure to|make sure to|you (?:must|should|shall|need to|have to|are to)|we ask you to)\b)*[\W_]*(?:rate|classify|label|score|grade|judge|categori[sz]e|return|respond|reply|rank|annotate|evaluate)\s(?!polic)[^.]{0,80}\b(?:as|with|us|first|best|highest|positive|winner)\b/u,
  /\b(?:must|shall|has to|have to|ought to|is to|are to) be (?:rated|classified|labell?ed|scored|graded|judged|categori[sz]ed|annotated|ranked)\b/u,
  /\b(?:rate|rank|score|grade|judge|classify|label|mark)s? (?:us|me|our|we)\b|\basked to (?:rate|rank|score|grade|judge|classify|label|evaluate)\b/u,
  /\b(?:should|must|shall|has to|have to|deserves?|please|kindly|want|ask|demand|request)\b[^.]{0,60}\b(?:most|highest|best|top|maximum|positive|first|full|lowest|worst)\b[^.]{0,30}\b(?:category|ratings?|scores?|grades?|marks?|assessment|evaluation|classification|sentiment)\b/u,
  /\b(?:correct|right|proper|expected|only valid) (?:label|rating|verdict|stance|classification)\b|\bfrom now on\b|\byou are now\b/u,
  // The same in other languages, by their words for an order and for what it is about. Accents are
  // taken off before.
  /\b(?:ordne|bewerte|stufe|beachte|behandle|klassifiziere|ignorier\w*|vergiss|missacht\w*|bitte)\b[^.]{0,80}\b(?:kategorie|klasse|note|regeln?|anweisung\w*|vorherig\w*|obig\w*|erste wahl|punktzahl|bewertung|als)\b/u,
  /\b(?:veuillez|merci de|retene[rz]|considere[rz]|attribue[rz]|note[rz]|classe[rz]|evalue[rz]|ignore[rz]|oublie[rz]?)\b[^.]{0,80}\b(?:choix|consignes?|note|categorie|regles?|instructions?|precedent\w*|comme)\b/u,
  /\b(?:per favore|assegna\w*|valuta\w*|classifica\w*|ignora\w*|dimentica\w*|por favor|asigna\w*|clasifica\w*|califica\w*|evalua\w*|responde\w*|olvida\w*|atribua|classifique|avalie|ignore[mn]?|esquec\w*)\b[^.]{0,80}\b(?:voto|categoria|scelta|regole|istruzioni|punteggio|precedent\w*|nota|eleccion|reglas|instruc\w+|puntuacion|anterior\w*|regras|escolha|come|como)\b/u,
  /指示|指令|忽略|无视|無視|评为|評為|归类|歸類|分类为|評価して|分類して|答えて|として扱|とみなし|지시|무시하|분류하|평가하|игнорир|инструкци|оцени|классифицир|считаи/u,
];

/** The rules look at the parts of a longer sentence, so that no text takes long. */
const sentenceMax = 2000;

/** A sentence, or a line. */
const sentences =
  /[^\n.!?\u2026\u3002\uff01\uff1f]*(?:[.!?\u2026\u3002\uff01\uff1f]+(?:["'\u201d\u2019)\]}*_]*)|\n|$)/gu;

/** Finds the sentences of an answer that speak to a judge, in the order of the text. */
export function findHostile(text: string): TextSpan[] {
  const found: TextSpan[] = [];
  for (const { index, 0: sentence } of text.matchAll(sentences)) {
    for (let from = 0; from < sentence.length; from += sentenceMax) {
      const part = sentence.slice(from, from + sentenceMax);
      if (part.trim() === '' || !isHostile(part)) continue;
      const span = { start: index + from, end: index + from + part.length };
      const last = found.at(-1);
      if (last?.end === span.start) found.splice(-1, 1, { start: last.start, end: span.end });
      else found.push(span);
    }
  }
  return found;
}

function isHostile(sentence: string): boolean {
  const forms = plainForms(sentence);
  return patterns.some((pattern) => forms.some((form) => pattern.test(form)));
}

/** Characters that are not seen, and accents and marks that may stand between letters. */
const unseen = /[\p{Cf}\p{Mn}\u115f\u1160\u3164\uffa0]/gu;
/** Letters of other scripts that look Latin. */
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  [...'аеорсухіѕјԁɡһԛԝνοαερκτηυϲ'].map((letter, place) => [
    letter,
    'aeopcyxisjdghqwvoaepktnuc'.charAt(place),
  ]),
);

/** The sentence as a reader sees it, in lower case, without Markdown; also with `f i r s t` joined. */
function plainForms(sentence: string): string[] {
  const seen = sentence.normalize('NFKD').replace(unseen, '').toLowerCase().normalize('NFKC');
  const latin = seen.replace(/[\u0370-\u052f\u0261]/gu, (letter) => lookalikes[letter] ?? letter);
  const plain = latin
    .replace(/[*`~]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const words = plain.replace(/\\_/g, '_');
  const joined = words.replace(/\b(?:\w[ .\-·]){3,}\w\b/gu, (run) => run.replace(/[ .\-·]/g, ''));
  const forms = [words, joined, seen.replace(/[*`~]+/g, '').trim()];
  return [...new Set(forms)];
}
