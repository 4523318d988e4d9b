import type { TextSpan } from './text-span.ts';

/**
 * What an answer says to a judge and not to its reader. A sentence that matches is not shown to the
 * judge, and subjects next to it are not asked about: their rows are void, whether it was an order or
 * only looked like one, because a wrong cut may have taken a warning away.
 */
const patterns: readonly RegExp[] = [
  // The codes of stances and the fields of a verdict.
  /first_choice|recommended[_-]for|advised[_-]against|unknown[_-]to[_-]engine|by_rule|firstchoice|recommendedfor|rateit/u,
  /["'{[]\s*(?:stance|verdict|purpose|quote|label|subject|rating|\d+)["']?\s*[:=]/u,
  /\b(?:stance|verdict|sentiment|classification|annotation)s?\s*(?:[:=]|is\b|must\b|should\b|of (?:this|the)\b)/u,
  /[{[][^{}[\]]*["'][\w ]+["']\s*[:,][^{}]*[}\]]/u,
  // Marks of a conversation.
  /<\|?\/?\s*(?:im_start|im_end|system|user|assistant|inst|instructions?|prompt|items?|end\w*)\b|\[\/?inst\]|<<\/?sys>>/u,
  /^[\W_]*(?:system|assistant|user|developer|human|tool)\s*(?:prompt|message|note)?\s*:/u,
  /\bsystem (?:prompt|message|override|instruction)|\bend of (?:the )?(?:items?|data|excerpts?|text|context|document|input)\b|\bprompt injection/u,
  // Whom it speaks to.
  /\b(?:dear|note to|attention|hey|hi|hello|message (?:to|for)|instructions? (?:to|for)|reminder (?:to|for)|notice (?:to|for))\b[^.]{0,30}\b(?:judges?|graders?|evaluators?|annotators?|classifiers?|reviewers?|raters?|labell?ers?|ai|llms?|models?|assistants?|bots?|(?:chat)?gpt|claude|gemini|copilot|machines?)\b/u,
  /\b(?:ai|llm|automated|language|machine|this|any|the|every|you,? the) ?-?(?:model )?(?:judges?|graders?|evaluators?|annotators?|classifiers?|raters?|labell?ers?)\b/u,
  /\b(?:if|when|since|because|as) (?:you are|you're|you were) (?:an? |the )?(?:ai|llm|language model|model|assistant|judge|grader|evaluator|classifier|bot|machine|chatbot)\b|\bas an? (?:ai|llm|language model|evaluator|judge|grader|classifier)\b/u,
  /\b(?:evaluat|judg|grad|classify|label|rat|annotat|scor)(?:ing|e|es|ed|ion)? (?:this|the|these) (?:answers?|texts?|passages?|excerpts?|items?|responses?|mentions?|brands?|subjects?)\b/u,
  /\b(?:whoever|whatever|anyone|any system|any model) (?:judges|evaluates|grades|rates|labels|classifies|reads|is (?:judging|evaluating|grading|rating|labelling|labeling|classifying|reading))\b/u,
  // What it tells a judge to do.
  /\b(?:ignore|disregard|forget|override|overrule|bypass|discard|skip|replace|supersedes?|cancel)\b[^.]{0,60}\b(?:above|previous|prior|earlier|preceding|before|instructions?|rules?|prompts?|guidelines?|criteria|definitions?|directions?|orders?|told)\b/u,
  /\b(?:new|updated|revised|additional|special|hidden|secret) (?:instructions?|task|orders?|directives?|guidelines?|criteria|rubric)\b|\b(?:following|these|your) (?:instructions?|orders?|directives?)\b|\byour (?:output|reply|response|verdict|json|evaluation|judge?ment|classification|label|rating|job|role)\b/u,
  /^(?:[\W_]*(?:please|kindly|always|now|so|then|therefore|important|also|and|just|simply|note|remember(?: to)?|be sure to|make sure to|you (?:must|should|shall|need to|have to|are to|will|can)|we ask you to|it is (?:required|necessary) to)\b)*[\W_]*(?:rate|classify|label|mark|score|grade|judge|tag|categori[sz]e|assign|output|return|respond|reply|treat|count|report|record|rank|code|annotate|evaluate|give)\s(?!polic)[^.]{0,80}\b(?:as|with|to|a|an|it|us|this|letter|first|best|top|highest|positive|rating|score|label)\b/u,
  /\b(?:must|should|shall|has to|have to|needs? to|ought to|is to|are to|to) be (?:rated|classified|labell?ed|marked|scored|graded|judged|tagged|categori[sz]ed|coded|annotated|treated|counted|ranked|reported|recorded|considered|evaluated)\b/u,
  /\b(?:correct|right|proper|expected|only|true|accurate|valid|appropriate) (?:label|answer|rating|verdict|stance|class|classification|category|letter|code|grade|response|output)\b/u,
  /\b(?:answer|reply|respond|output|choose|select|pick|letter|code|label|grade)\s+(?:with |only |the )*(?:letter |code |option )?["'(\u201c]?[a-g]["')\u201d]?(?=\s*(?:[.,;:!]|$|for\b|in\b|as\b|and\b))/u,
  /^[\W_]*(?:please |always |just |simply |now )*(?:say|state|declare|claim|conclude|repeat|confirm|write|insist|assume|remember)\b[^.]{0,20}\bthat\b/u,
  /\b(?:do not|don't|never) (?:mention|quote|cite|rate|label|classify|judge|rank|criticize|criticise)\b/u,
  /\b(?:when|while|before|after) (?:summari[sz]ing|evaluating|judging|ranking|rating|grading|classifying|labell?ing|scoring|assessing|answering|reporting)\b[^.]{0,80}\b(?:say|state|put|choose|pick|use|give|prefer|favou?r|must|should|always|never)\b/u,
  /\b(?:from now on|you are now|jailbreak|developer mode|ground truth|final (?:answer|verdict|classification|label))\b|^[\W_]*(?:act as|pretend|imagine you)\b/u,
  /\b(?:quote|copy|cite) (?:only |exactly )?(?:this|the following|these)\b/u,
  /\b(?:label|verdict|answer|grade|class|category|stance|rating)\s*[:=]\s*["'(]?[a-g]\b/u,
  /(?:=>?|->|\u2192)\s*["'(]?[a-g]\b["')]?\s*(?:[.,;]|$)/u,
  // A receiver, or a reader's duty, together with what a judge gives.
  /\b(?:ai|llms?|models?|machines?|bots?|systems?|algorithms?|readers?|tools?|programs?|software|assistants?|crawlers?|parsers?|pipelines?)\b[^.]{0,60}\b(?:shall|must|should|has to|have to|is to|are to|will|may only|ought to)\b[^.]{0,40}\b(?:regard|treat|consider|rate|rank|place|choose|pick|name|call|label|classify|judge|say|state|report|conclude|assign|favou?r|prefer|recommend|record|note|conclude)\b/u,
  /\b(?:automated|automatic|artificial|machine|non-human|robotic) (?:systems?|readers?|processes|processing|evaluat\w+|review\w*|judg\w+|analysis|scoring)\b/u,
  /\b(?:should|must|shall|has to|have to|needs? to|ought to|deserves?|merits?|please|kindly|want|wants|ask|asks|demand|request|require|insist)\b[^.]{0,60}\b(?:most|highest|best|top|maximum|positive|strongest|first|leading|winning|full|negative|lowest|worst)\b[^.]{0,30}\b(?:category|class|letters?|labels?|ratings?|verdict|scores?|grades?|marks?|assessment|evaluation|classification|stance|sentiment|votes?|points)\b/u,
  /^[\W_]*(?:please |kindly |always |just |simply |now |and )*(?:set|assign|place|put|award|regard|consider|list|name|call|favou?r|prefer|do what|follow|obey|trust|believe|accept|stop|use|choose|select|pick)\b[^.]{0,80}\b(?:stance|category|class|letters?|labels?|verdict|json|assessment|evaluation|classification|sentiment|task|instructions?|prompts?|rules?|i say|we say|top of)\b/u,
  /\b(?:stop|override|overrule|void|invalid|regardless|instead|contrary|despite|obsolete|outdated|no longer appl\w+|replaced)\b[^.]{0,60}\b(?:task|prompts?|instructions?|rules?|excerpts?|guidelines?|definitions?)\b|\b(?:task|prompts?|instructions?|rules|excerpts?|guidelines?|definitions?)\b[^.]{0,40}\b(?:no weight|no longer|void|invalid|wrong|obsolete|outdated|suspended|do not apply|does not apply|not be used|replaced)\b/u,
  /\bexcerpts?\b|\bannotat\w+|\boverride\b|\bhereby\b|\b(?:your|this|the) (?:system )?prompt\b|\b(?:evaluation|classification|judging|grading|rating|labell?ing) (?:hints?|notes?|tasks?|keys?|guides?)\b/u,
  /\b(?:previous|above|preceding|real|actual|original|surrounding|rest of the) (?:text|passage|answer|message|document|input)s?\b/u,
  /\b(?:asked|prompted|queried|questioned)\b[^.]{0,60}\b(?:(?:its|your|the|only) (?:reply|response|answer)|(?:reply|respond|answer|say)s? (?:is|that|with))\b/u,
  /(?:^|[\s,;:(])[\w ]{2,40} = (?:["']?\w+["']?)(?=\s*(?:[.,;)]|$))/u,
  /\bfirst choice\b[^.]{0,40}\b(?:annotation|task|label|output|evaluation)\b|\b(?:gets?|is|takes?|has) (?:the )?(?:first|letter|code) (?:letter|code|[a-g]\b)/u,
  // Words of judging that no reader of a recommendation needs.
  /\b(?:grad(?:er|ers|ing)|judg(?:e|es|ing)|verdicts?|adjudicat\w+|score ?(?:sheet|card)s?|rubrics?|directives?|under penalty|step by step|end (?:of )?(?:data|context|input|quote|json|task))\b|[}\]]{2}|\btask\s*:|\b(?:in|the|your|as|to) json\b/u,
  /(?:^|[;,:.]\s*|\b(?:and|then|so|please|just|must|should|to) )(?:mark|flag|tag|count|log|code|file|score|rate|rank|treat|take|regard|register|enter|put|label|grade|classify|categori[sz]e|crown|declare)\s[^.]{0,60}\b(?:as|down|under|so|accordingly|the winner|for (?:it|this|us)|next to)\b/u,
  /\b(?:flagged|marked|logged|counted|coded|filed|scored|classified|categori[sz]ed|tagged) (?:as|under)\b|\b(?:grad|judg|evaluat|label|classif)\w*\b[^.]{0,30}\baccordingly\b/u,
  /\b(?:these|this) (?:lines?|sentences?|statements?|paragraphs?)\b|\breading (?:these|this)\b/u,
  /\b(?:i am|i'm|we are|we,|as) (?:the|your) (?:developers?|operators?|admin\w*|creators?|owners?|engineers?|makers?|authors?|users?)\b|\b(?:operators?|developers?|creators?|trainers?) of (?:this|the|your)\b/u,
  /\bwhatever (?:you|the|your)\b[^.]{0,40}\b(?:decide|think|read|say|conclude|judge)\b|\b(?:translate|map|convert|change|turn|write|print|emit)\b[^.]{0,40}\b(?:verdict|answer|label|letter|code)\b|\bbefore (?:answering|replying|responding)\b/u,
  /\b(?:must|shall|has to|have to)\b[^.]{0,40}\b(?:on top|first|win|winner|best|number one|superior|highest|favou?r\w*)\b/u,
  /<!--|-->|\[(?:system|assistant|user|inst|admin)\]/u,
  /^[\W_]*(?:assistants?|models?|ai|bots?|machines?|readers?|system|analysts?|evaluators?|chatgpt|gpt|claude|gemini|copilot|llama|mistral)\s*,/u,
  /\bif you(?:'re| are) (?:an? |the )?(?:software|program|computer|robot|automat\w+|algorithm|not human|one of)\b|\b(?:lose|losing|gain|earn|win|get) (?:\w+ )?(?:points|marks|credit|rewards?|tips?)\b[^.]{0,40}\b(?:unless|if|when)\b/u,
  /\b(?:do not|don't|never) (?:trust|believe|use|count|consider|read|obey|follow)\b[^.]{0,40}\b(?:sentences?|text|words|remarks?|others?|rest|above|below|around)\b|\b(?:does|do|did|should) not count\b|\b(?:is|are) (?:fictional|fictitious|a test|irrelevant|to be ignored)\b/u,
  /\b(?:set|put|leave|throw) (?:aside|away) (?:what|all|the|any|everything)\b|\bwhat (?:came|was said|was written|you read|you were told) (?:before|above|earlier)\b/u,
  /\b(?:first|last|second|top|highest) (?:one )?(?:of|in|on|from) (?:your|the) (?:options?|list|scale|choices?|categories|codes?|labels?)\b|\b(?:result|response|reply|output|answer|verdict) (?:object|field|format|value|key)s?\b/u,
  /\bpre-?(?:approved|assigned|judged|rated|labell?ed|classified|determined)\b|\b(?:quality control|audit(?:ors?)?|compliance) (?:purposes?|notes?|requires?|says?)\b|\bfor (?:quality control|audit|scoring|evaluation|calibration)\b/u,
  /\b(?:who(?:ever)?|that|anyone who|everyone who) (?:scores?|grades?|evaluates?|judges?|rates?|labels?|classifies|annotates?|processes|parses|summari[sz]es)\b/u,
  /^[\W_]*(?:consider|take|see|understand|interpret|view|read)\b[^.]{0,60}\b(?:as|to be)\b[^.]{0,30}\b(?:warnings?|winner|best|leader|top|first|default|positive|negative|praise|recommended)\b/u,
  /\b(?:rate|rank|score|grade|judge|classify|label|mark)s? (?:us|me|our|we)\b|\basked to (?:rate|rank|score|grade|judge|classify|label|evaluate|compare)\b|\b(?:rating|ranking|scoring|judging) (?:instructions?|rules?|orders?)\b|\blet the record\b/u,
  /\byou (?:are|were|'re) (?:required|obliged|expected|asked|told|instructed|ordered)\b|\b(?:demands?|insists?|requires?) (?:to be|that you)\b/u,
  /\b(?:disregard|ignore)\b[^.]{0,40}\b(?:rest|others?|everything|anything|what|text|author|weakness\w*|criticism)\b|\bwhatever\b[^.]{0,20}\b(?:says?|claims?|reads?|states?)\b/u,
  /^[\w -]{0,30}\b(?:bots?|ais|llms?|judges?|graders?),|\b(?:note|message|hint|info|instructions?) for (?:ais?|llms?|models?|bots?|machines?|judges?|graders?|assistants?)\b/u,
  /^[\W_]*(?:always|please|just|simply|now|kindly) [^.]{0,20}\b(?:answer|reply|respond|say|state|conclude) that\b/u,
  // The same in other languages, by their words for an order and for what it is about. Accents are
  // taken off before.
  /\b(?:ordne|bewerte|stufe|beachte|setze|gib|nenne|wahle|behandle|klassifiziere|ignorier\w*|vergiss|missacht\w*|bitte)\b[^.]{0,80}\b(?:kategorie|klasse|note|regeln?|anweisung\w*|vorherig\w*|obig\w*|erste wahl|platz|punktzahl|bewertung|als)\b/u,
  /\b(?:veuillez|merci de|retene[rz]|retenir|considere[rz]|attribue[rz]|donne[rz]|note[rz]|classe[rz]|evalue[rz]|ignore[rz]|oublie[rz]?)\b[^.]{0,80}\b(?:choix|consignes?|note|categorie|regles?|instructions?|precedent\w*|comme)\b/u,
  /\b(?:per favore|assegna\w*|considera\w*|valuta\w*|classifica\w*|ignora\w*|dimentica\w*)\b[^.]{0,80}\b(?:voto|categoria|scelta|regole|istruzioni|punteggio|precedent\w*|come)\b/u,
  /\b(?:por favor|asigna\w*|considera\w*|clasifica\w*|califica\w*|evalua\w*|responde\w*|contesta\w*|ignora\w*|olvida\w*|atribua|considere|classifique|avalie|ignore[mn]?|esquec\w*)\b[^.]{0,80}\b(?:nota|categoria|opcion|eleccion|reglas|instruc\w+|puntuacion|anterior\w*|regras|escolha|como|[a-g] para)\b/u,
  /\b(?:negeer|beoordeel|classificeer|zignoruj|ocen|sklasyfikuj)\b/u,
  /指示|指令|忽略|无视|無視|评为|評為|归类|歸類|分类为|評価して|分類して|答えて|として扱|とみなし|に選ん|回答して|지시|무시하|분류하|평가하|игнорир|инструкци|оцени|классифицир|считаи/u,
  // What hides a text from people.
  /(?<![a-z0-9+/])[a-z0-9+/]{60,}={0,2}(?![\w/.-])/u,
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
