import type { Span } from './span.ts';

/**
 * What an answer says to a judge and not to its reader. A sentence that matches is not shown to the
 * judge. Whom these rules cut wrongly loses a sentence of context, and no row.
 */
const patterns: readonly RegExp[] = [
  // The codes of stances and the fields of a verdict.
  /first_choice|recommended_for|advised_against|unknown_to_engine|by_rule/u,
  /["'{[]\s*(?:stance|verdict|purpose|quote|label|subject|rating|\d+)["']?\s*[:=]/u,
  /\b(?:stance|verdict|sentiment|classification|annotation)s?\s*(?:[:=]|is\b|must\b|should\b|of (?:this|the)\b)/u,
  /[{[][^{}[\]]*["'][\w ]+["']\s*[:,][^{}]*[}\]]/u,
  // Marks of a conversation.
  /<\|?\/?\s*(?:im_start|im_end|system|user|assistant|inst|instructions?|prompt|items?|end\w*)\b|\[\/?inst\]|<<\/?sys>>/u,
  /^[\W_]*(?:system|assistant|user|developer|human|tool)\s*(?:prompt|message|note)?\s*:/u,
  /\bsystem (?:prompt|message|override|instruction)|\bend of (?:the )?(?:items?|data|excerpts?|text|context|document|input)\b|\bprompt injection/u,
  // Whom it speaks to.
  /\b(?:dear|note to|attention|hey|hi|hello|message (?:to|for)|instructions? (?:to|for)|reminder (?:to|for)|notice (?:to|for))\b[^.]{0,30}\b(?:judges?|graders?|evaluators?|annotators?|classifiers?|reviewers?|raters?|labell?ers?|ai|llms?|models?|assistants?|bots?|gpt|claude|gemini|machines?)\b/u,
  /\b(?:ai|llm|automated|language|machine|this|any|the|every|you,? the) ?-?(?:model )?(?:judges?|graders?|evaluators?|annotators?|classifiers?|raters?|labell?ers?)\b/u,
  /\b(?:if|when|since|because|as) (?:you are|you're|you were) (?:an? |the )?(?:ai|llm|language model|model|assistant|judge|grader|evaluator|classifier|bot|machine|chatbot)\b|\bas an? (?:ai|llm|language model|evaluator|judge|grader|classifier)\b/u,
  /\b(?:evaluat|judg|grad|classify|label|rat|annotat|scor)(?:ing|e|es|ed|ion)? (?:this|the|these) (?:answers?|texts?|passages?|excerpts?|items?|responses?|mentions?|brands?|subjects?)\b/u,
  /\b(?:whoever|whatever|anyone|any system|any model) (?:judges|evaluates|grades|rates|labels|classifies|reads|is (?:judging|evaluating|grading|rating|labelling|labeling|classifying|reading))\b/u,
  // What it tells a judge to do.
  /\b(?:ignore|disregard|forget|override|overrule|bypass|discard|skip|replace|supersedes?|cancel)\b[^.]{0,60}\b(?:above|previous|prior|earlier|preceding|before|instructions?|rules?|prompts?|guidelines?|criteria|definitions?|directions?|orders?|told)\b/u,
  /\b(?:new|updated|revised|additional|special|hidden|secret) (?:instructions?|task|orders?|directives?|guidelines?|criteria|rubric)\b|\b(?:following|these|your) (?:instructions?|orders?|directives?)\b|\byour (?:output|reply|response|verdict|json|evaluation|judge?ment|classification|label|rating|job|role)\b/u,
  /^(?:[\W_]*(?:please|kindly|always|now|so|then|therefore|important|also|and|just|simply|note|remember(?: to)?|be sure to|make sure to|you (?:must|should|shall|need to|have to|are to|will|can)|we ask you to|it is (?:required|necessary) to)\b[\s,:!-]*)*(?:rate|classify|label|mark|score|grade|judge|tag|categori[sz]e|assign|output|return|respond|reply|treat|count|report|record|rank|code|annotate|evaluate|give)\s(?!polic)[^.]{0,80}\b(?:as|with|to|a|an|it|us|this|letter|first|best|top|highest|positive|rating|score|label)\b/u,
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
  // The same in other languages, by their words for an order and for what it is about.
  /\b(?:ignorier\w*|vergiss|missacht\w*|ignorez|oublie[zr]?|ignora\w*|olvida\w*|ignore[mn]?|dimentica\w*|esque[cç]\w*|negeer|zignoruj)\b[^.]{0,60}(?:anweisung|vorherig|obig|instruc|instrucc|istruzion|instru[cç]|pr[eé]c[eé]dent|anterior|precedent|aanwijzing|polece)/u,
  /\b(?:bewerte|klassifiziere|stufe|[eé]valuez|classez|notez|clasifica|califica|eval[uú]a|clasifique|classifique|avalie|valuta|classifica|beoordeel)\w*\b[^.]{0,60}(?:\bals\b|\bcomme\b|\bcomo\b|\bcome\b)/u,
  /(?:忽略|无视|無視|忘记|忘れ|무시)[^。]{0,30}(?:指示|指令|说明|規則|规则|지시)|(?:игнорируй|забудь|оцени|классифицируй)/u,
  // What hides a text from people.
  /(?:[a-z0-9+/]{60,}={0,2})(?![\w/.-])/u,
];

/** A sentence, or a line. */
const sentences =
  /[^\n.!?\u2026\u3002\uff01\uff1f]*(?:[.!?\u2026\u3002\uff01\uff1f]+(?:["'\u201d\u2019)\]}*_]*)|\n|$)/gu;

/** Finds the sentences of an answer that speak to a judge, in the order of the text. */
export function findHostile(text: string): Span[] {
  const found: Span[] = [];
  for (const { index, 0: sentence } of text.matchAll(sentences)) {
    if (sentence.trim() === '') continue;
    if (!isHostile(sentence)) continue;
    const last = found.at(-1);
    const span = { start: index, end: index + sentence.length };
    if (last !== undefined && last.end === span.start)
      found[found.length - 1] = { ...last, end: span.end };
    else found.push(span);
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
