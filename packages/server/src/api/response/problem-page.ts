import { problems } from '@overheard/contract';
import type { ProblemCode } from '@overheard/contract';

/** The page that a problem's `type` leads to: what happened, and how to fix it. */
export function problemPage(code: ProblemCode): string {
  const { title, status, meaning, fix } = problems[code];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${code} - Overheard</title>
<style>body{font:1rem/1.5 system-ui;max-width:40rem;margin:3rem auto;padding:0 1rem}code{background:#8882;padding:.1em .3em}</style>
<h1>${title}</h1>
<p><code>${code}</code>, HTTP status ${status}</p>
<h2>What happened</h2>
<p>${html(meaning)}</p>
<h2>How to fix it</h2>
<p>${html(fix)}</p>
</html>
`;
}

/** Makes HTML of one of our own sentences, in which backquotes mark code. */
function html(sentence: string): string {
  return sentence
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}
