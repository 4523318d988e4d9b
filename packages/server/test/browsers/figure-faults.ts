/**
 * Looks for figures without their sample and changes without their verdict, in a page of a browser.
 * What an engine, a log or a file says is not ours: it is in `pre`, `code`, `blockquote`, `q`, a field, or
 * an element with a language of its own. `.scale` is the axis of a chart.
 */
export const figureFaults = `(() => {
  const foreign = 'script, style, title, pre, code, blockquote, q, textarea, input, option, body [lang], [data-foreign]';
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element.closest(foreign)) continue;
    const text = node.data.replace(/\\s+/g, ' ').replace(/\\b95 % intervals?/g, '');
    const shown = text.trim().slice(0, 60);
    if (/%|\\b\\d+(\\.\\d+)? on average\\b/.test(text) && !element.closest('[data-n], .scale')) found.push('a figure without its sample: ' + shown);
    if (/\\b(up|down) by \\d|[+-]\\d[\\d.]* points?\\b|within chance\\b/.test(text) && !element.closest('[data-verdict]')) found.push('a change without its verdict: ' + shown);
  }
  for (const figure of document.querySelectorAll('[data-n]')) {
    const n = Number(figure.dataset.n).toLocaleString('en-US');
    if (figure.dataset.n === '' || !(figure.textContent.includes(n) || (n === '0' && figure.textContent.includes('no')))) found.push('a figure that does not say its sample: ' + figure.textContent.trim().slice(0, 60));
  }
  const verdicts = ['up', 'down', 'within_chance', 'too_few', 'not_comparable'];
  for (const change of document.querySelectorAll('[data-verdict]')) {
    if (!verdicts.includes(change.dataset.verdict) || change.textContent.trim() === '') found.push('a change with an unknown verdict: ' + change.outerHTML.slice(0, 80));
  }
  return found;
})()`;
