import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';

/** Words of a sentence. `up` and `down` are proven changes, or what is broken. */
export interface StoryWords {
  readonly text: string;
  readonly tone: 'up' | 'down' | 'plain';
}

/**
 * The first thing of a page: one sentence as its title. `sampleIds` are the elements, with spaces,
 * that say of how many answers the sentence speaks.
 */
export function story(sentence: string | readonly StoryWords[], sampleIds?: string): Html {
  const parts = typeof sentence === 'string' ? [plain(sentence)] : sentence;
  return html`<h1 class="story" ${describedBy(sampleIds)}>${parts.map(words)}</h1>`;
}

/** Words that tell neither of a rise nor of a fall. */
export function plain(text: string): StoryWords {
  return { text, tone: 'plain' };
}

/** What follows it in smaller type. */
export function sub(sentences: ReadonlyArray<readonly StoryWords[]>, sampleIds?: string): Content {
  return (
    sentences.length > 0 &&
    html`<p class="sub" ${describedBy(sampleIds)}>${sentences.map((each) => [each.map(words), ' '])}</p>`
  );
}

/** The same as a list, for someone who reads nothing else. `more` ends it. */
export function storyLines(
  sentences: ReadonlyArray<readonly StoryWords[]>,
  more: Content,
  sampleId?: string,
): Html {
  return html`<ul class="sub lines" ${describedBy(sampleId)}>
    ${sentences.map((each) => html`<li>${each.map(words)}</li>`)}
    ${more !== undefined && html`<li>${more}</li>`}
  </ul>`;
}

function describedBy(ids: string | undefined): Content {
  return ids !== undefined && html` aria-describedby="${ids}"`;
}

function words({ text, tone }: StoryWords): Content {
  // A number never parts from its per cent sign.
  const whole = text.replaceAll(/(\d) %/g, '$1\u00A0%');
  return tone === 'plain'
    ? whole
    : html`<span class="${tone}" data-verdict="${tone}">${whole}</span>`;
}
