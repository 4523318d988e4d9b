/*
 * Endings that Korean attaches to a name without a space. Endings that also make other words
 * (`삼성고`, a school; `삼성인`, a person) are left out, because a name inside a longer word never
 * counts.
 */

/** Words for an industry that companies add to their name: `쿠쿠전자`. */
const companies =
  '전자|그룹|자동차|코리아|건설|화학|제약|식품|은행|증권|카드|캐피탈|생명|화재|보험|물산|중공업|통신|텔레콤|항공|백화점|홈쇼핑|산업|상사|에너지|주식회사|컴퍼니|코퍼레이션|닷컴';

/** Particles that end the word: topic, subject, object, possession, addition. */
const last = '은|는|이|가|을|를|의|도|에선|에겐|한텐|께선|로선|으로선|으론|까진|부턴|보단|만은';

/** Particles that other particles may follow: `에서는`, `까지도`, `으로부터의`. */
const inner =
  '에|에서|에게|에게서|한테|한테서|께|께서|로|으로|로서|으로서|로써|으로써|와|과|랑|이랑|하고|보다|처럼|같이|만큼|대로|부터|까지|마다|조차|마저|밖에|뿐|만|커녕|나|이나|나마|이나마|라도|이라도|든|이든|들';
const following = `${last}|만|로|으로|부터|까지|나|이나|보다|처럼|조차|마저|밖에|커녕|뿐|라도|이라도|에|에서|에게|와|과`;

/** Forms of "to be": after a consonant, after a vowel, and after either. */
const afterConsonant =
  '이다|이며|이고|이고요|이자|이지|이니|이네|이네요|이야|이면|이면서|이기|이기에|이기도|이에요|이예요|이어서|이었다|이었고|이었던|이었습니다|이었지만|이군요|이구나|이거든요|이든가|이든지|이거나|이란|이라|이라고|이라고도|이라는|이라며|이라면|이라서|이라든가|이라든지|이라기보다|이라니|이라던|이랍니다|이래요|이므로|이지만|이지요|이죠|이니까|이야말로|이십니다|이신';
const afterVowel =
  '란|라고|라고도|라는|라며|라면|라서|라든가|라든지|라기보다|라니|라던|랍니다|래요|며|면서|므로|지만|지요|죠|니까|야말로|든가|든지|거나|거든요|네요|군요|예요|에요|여서|였다|였고|였던|였습니다|였지만';
const afterEither =
  '입니다|입니까|인데|인데요|인지|인지요|인가|인가요|인가봐요|인만큼|일까|일까요|일지|일지라도';

const pattern = new RegExp(
  `^(?:${companies})?(?:들)?(?:(?:${last})|(?:${inner})(?:${following}){0,3}|(?:(?:${inner})(?:${following})?)?(?:${afterConsonant}|${afterVowel}|${afterEither})(?:은|는|도|만|요)?)?$`,
);
const lengthMax = 14;

/** Whether the Hangul after a name consists only of a company suffix and particles. */
export function isHangulParticle(text: string): boolean {
  const composed = text.normalize('NFC');
  return composed.length <= lengthMax && pattern.test(composed);
}
