import { foldWord } from './words.ts';

/** Codes of world regions and languages in CLDR: https://cldr.unicode.org/ */
const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
const codes = letters.flatMap((first) => letters.map((second) => `${first}${second}`));
const areas = ['001', '002', '003', '005', '009', '013', '019', '021', '029', '142', '150', '419'];
const english = 'en';

/**
 * Words with a capital that name no company in a language, in its own words and in English: countries,
 * continents, languages, currencies, months and days of the week. Folded.
 */
export function calendarAndMapWords(language: string): ReadonlySet<string> {
  const words = [language, english].flatMap((one) => [...namesOf(one), ...datesOf(one)]);
  return new Set(words.flatMap((name) => [name, ...name.split(/[\s()&-]+/)]).map(foldWord));
}

function namesOf(language: string): string[] {
  const regions = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  const languages = new Intl.DisplayNames([language], { type: 'language', fallback: 'none' });
  const regionCodes = [...codes.map((code) => code.toUpperCase()), ...areas];
  return [
    ...regionCodes.map((code) => regions.of(code)),
    ...codes.map((code) => languages.of(code)),
  ].flatMap((name) => (name === undefined ? [] : [name]));
}

function datesOf(language: string): string[] {
  const days = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, month + 1)));
  return (['long', 'short'] as const)
    .flatMap((style) => {
      const inText = new Intl.DateTimeFormat(language, {
        day: 'numeric',
        month: style,
        timeZone: 'UTC',
      });
      const week = new Intl.DateTimeFormat(language, { weekday: style, timeZone: 'UTC' });
      return days.flatMap((day) => [
        ...inText
          .formatToParts(day)
          .flatMap(({ type, value }) => (type === 'month' ? [value] : [])),
        week.format(day),
      ]);
    })
    .map((word) => word.replace(/\.$/, ''));
}

/**
 * Articles, possessives and similar words. They come before things, and rarely before a company's
 * name.
 */
export const determiners: ReadonlySet<string> = new Set(
  `a an the this that these those my your his her its our their any each every no some another
  der die das den dem des ein eine einen einem einer eines kein keine keinen keiner dein deine deinen
  deiner ihr ihre ihren ihrem ihrer sein seine seinen diese dieser dieses diesen jede jeder jedes jeden
  le la les l un une des du de ce cette ces mon ma mes votre vos notre nos leur leurs chaque
  el los las lo una unos unas al del este esta estos estas su sus tu tus cada
  il gli i uno della dello dei delle nel nella questo questa ogni
  o os as um uma uns umas do da dos das no na nos nas seu sua
  het een de deze dit elke uw jouw
  en ett den det detta denna denne dette`.split(/\s+/),
);

/**
 * Marketing abbreviations and words that often begin a line of an answer, besides everyday words.
 */
export const labels: ReadonlySet<string> = new Set(
  `ai api apis app apps b2b b2c cms crm css csv erp gdpr dsgvo gps hd hdmi hr html ip it kpi led lcd oled
  ml os pc pcs pdf roi saas sdk seo sla sms sql ssd tv tvs ui url usb usb-c ux vpn wifi wi-fi bluetooth
  cons verdict faq faqs pricing overview tl;dr conclusion notes disclaimer sources references
  additionally however therefore furthermore moreover meanwhile also alternatively ultimately overall
  finally similarly conversely unlike whether while although because since despite if unless until
  consider considerations ideal suitable choose looking based known offers includes provides features
  highlights strengths weaknesses drawbacks benefits advantages disadvantages alternatives
  recommendations recommendation options budget affordability durability versatility
  vorteile nachteile fazit hinweis hinweise tipp tipps kosten preis preise funktionen vergleich ubersicht
  empfehlung empfehlungen alternativen zusammenfassung wichtig achtung quelle quellen stand anbieter
  starken schwachen beispiel beispiele geeignet merkmale
  avantages inconvenients prix conclusion conseil conseils resume tarif tarifs
  ventajas desventajas precio precios conclusion consejo consejos resumen
  vantaggi svantaggi prezzo prezzi conclusione consiglio riassunto
  voordelen nadelen prijs prijzen conclusie samenvatting
  vantagens desvantagens preco precos conclusao dica dicas resumo`.split(/\s+/),
);
