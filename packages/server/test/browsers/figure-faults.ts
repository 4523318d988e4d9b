/**
 * Looks for figures without their sample and changes without their verdict, in a page of a browser.
 * A figure says its sample, or stands in a table, section or hero with one `data-sample` that covers
 * it. A sentence may name such elements by `aria-describedby`. What an engine, a log or a file says
 * is not ours: it is in `pre`, `code`, `blockquote`, `q`, a field, or an element with a language of
 * its own. `.scale` is the axis of a chart or an interval beside its figure.
 */
export const figureFaults = `(() => {
  const foreign = 'script, style, title, pre, code, blockquote, q, textarea, input, option, body [lang], [data-foreign]';
  const found = [];
  const shown = (text) => text.trim().slice(0, 60);
  const says = (element, count) => (element.textContent.match(/\\d[\\d,]*/g) ?? []).includes(Number(count).toLocaleString('en-US'));
  /** Whether an element says a range of answers, and 'n', if given, is in it. */
  const covers = (sample, n) => {
    const [low, high] = (sample?.dataset.sample ?? '').split(' ').map(Number);
    return high > 0 && says(sample, low) && says(sample, high) && (n === undefined || (n >= low && n <= high));
  };
  /** Whether a sentence names elements that say of how many answers it speaks. */
  const isDescribed = (element) => {
    const ids = (element.closest('[aria-describedby]')?.getAttribute('aria-describedby') ?? '').split(' ');
    return ids.every((id) => {
      const described = document.getElementById(id);
      return covers(described?.matches('[data-sample]') ? described : described?.querySelector('[data-sample]'));
    });
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element.closest(foreign)) continue;
    const text = node.data.replace(/\\s+/g, ' ').replace(/\\b95 % intervals?|0 to 100 %/g, '');
    if (/%|\\b\\d+(\\.\\d+)? on average\\b/.test(text) && !element.closest('[data-n], .scale') && !isDescribed(element)) found.push('a figure without its sample: ' + shown(text));
    if (/[↑↓] ?\\d|\\b(up|down) by \\d|[+-]\\d[\\d.]* points?\\b|= no real change\\b|within chance\\b/.test(text) && !element.closest('[data-verdict]')) found.push('a change without its verdict: ' + shown(text));
  }
  for (const figure of document.querySelectorAll('[data-n]')) {
    const n = Number(figure.dataset.n);
    if (figure.dataset.n !== '' && (says(figure, n) || (n === 0 && figure.textContent.includes('no')))) continue;
    const place = figure.closest('section, .hero');
    const samples = [...(place?.querySelectorAll('[data-sample]') ?? [])];
    if (figure.dataset.n === '' || !samples.some((sample) => covers(sample, n))) found.push('a figure that does not say its sample: ' + shown(figure.textContent));
  }
  const verdicts = ['up', 'down', 'within_chance', 'too_few', 'not_comparable'];
  for (const change of document.querySelectorAll('[data-verdict]')) {
    if (!verdicts.includes(change.dataset.verdict) || change.textContent.trim() === '') found.push('a change with an unknown verdict: ' + change.outerHTML.slice(0, 80));
  }
  return found;
})()`;
