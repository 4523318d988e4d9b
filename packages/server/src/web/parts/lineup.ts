import type { ShareRow } from '@overheard/contract';
import { percent } from '../../values/figure-words.ts';
import { amount, plural } from '../../values/plural.ts';
import { changeCell, rateCell } from '../markup/figures.ts';
import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';

/** The large figures of a page: two at most, the brand's first, then a word on their change. */
export function lineup(
  figures: ReadonlyArray<{
    readonly label: string;
    readonly figure: Html;
    readonly isOwn?: boolean;
  }>,
  change: Content,
): Html {
  return html`<div class="lineup">
    ${figures.map(
      ({ label, figure, isOwn }) =>
        html`<div ${isOwn && html` class="own"`}>
          <p class="hint">${label}</p>
          ${figure}
        </div>`,
    )}
    <p>${change}</p>
  </div>`;
}

/** The brand beside its best rival. */
export function lineupPart(brand: ShareRow, rival: ShareRow | null): Html {
  const own = { label: `${brand.name} appears in`, figure: rateCell(brand), isOwn: true };
  const other = rival && { label: `Best rival, ${rival.name}`, figure: rateCell(rival) };
  return lineup(other === null ? [own] : [own, other], changesOf(brand, rival));
}

/** The changes of the brand and of its best rival. */
function changesOf(brand: ShareRow, rival: ShareRow | null): Content {
  const areBothQuiet = [brand, rival].every((row) => row?.rate_verdict === 'within_chance');
  if (areBothQuiet) return html`${changeCell(brand, 'rate')} <span class="same">for either</span>`;
  if (brand.rate_verdict === 'too_few' || brand.rate_verdict === 'not_comparable') return undefined;
  return html`${changeCell(brand, 'rate')}${rival !== null && html`<br />${rival.name} ${changeCell(rival, 'rate')}`}`;
}

/** What appearing means, and of how many answers all figures beside it are. */
export function sampleSentence(brand: ShareRow): Html {
  const { runs, named, linked, prompts } = brand;
  const part = (count: number) =>
    html`<span class="figure" data-n="${runs}">${percent(runs === 0 ? 0 : count / runs)}</span>`;
  return html`To appear is to be named in the text (${part(named)} of answers) or linked as a source
    (${part(linked)}).
    <span id="sample" data-sample="${runs} ${runs}">${amount(runs, 'answer')}</span> to
    ${plural(prompts, 'prompt')}.`;
}
