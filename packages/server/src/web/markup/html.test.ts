import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoint, webAddress } from '../../../../../test/any-text.ts';
import { Html, escapeHtml, html } from './html.ts';

/** Text that could break out of an element, an attribute or a comment. */
const hostile = fc.oneof(
  fc.string({ unit: codePoint }),
  fc
    .array(fc.constantFrom('<', '>', '"', "'", '&', '/', '`', '=', ' ', '\n', 'script', 'on', ';'))
    .map((parts) => parts.join('')),
  fc.constantFrom('</p><script>alert(1)</script>', '" onload="x', 'javascript:alert(1)', '&lt;'),
);

test('no text leaves its element or its attribute, and every text comes back as it was', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const made = html`<p title="${text}">${text}</p>`.text;
      const inner = made.slice('<p title="'.length, -'</p>'.length);
      const [attribute = '', element = '', ...others] = inner.split('">');
      expect(others).toEqual([]);
      for (const part of [attribute, element]) {
        expect(part).not.toMatch(/[<>"']/);
        expect(unescape(part)).toBe(text);
      }
    }),
  );
});

test('an address leads to this server or to http, and never runs', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        hostile,
        webAddress,
        fc.constantFrom(
          '/w/a/',
          '?x=1',
          '#a',
          '//evil.example',
          '/\\evil',
          'JaVaScript:1',
          ' javascript:1',
          'data:text/html,x',
          '/\t/evil',
        ),
      ),
      (url) => {
        const href = unescape(/href="([^"]*)"/.exec(html`<a href="${url}">x</a>`.text)?.[1] ?? '');
        const { protocol, host } = new URL(href, 'https://ours.example');
        expect(['http:', 'https:']).toContain(protocol);
        expect(/^https?:/.test(url) || host === 'ours.example').toBe(true);
      },
    ),
  );
  expect(html`<a href="${'/w/a/?b=1&c=2'}">x</a>`.text).toBe('<a href="/w/a/?b=1&amp;c=2">x</a>');
});

test('a value outside of quotes is refused unless it is markup of ours', () => {
  const value = 'x onload=1';
  expect(() => html`<p title=${value}></p>`).toThrow('must stand in quotes');
  expect(() => html`<p ${value}></p>`).toThrow('must stand in quotes');
  expect(html`<input${html` required`}${false}${undefined}>`.text).toBe('<input required>');
});

test('a template joins lists, keeps markup, and leaves out undefined and false', () => {
  expect(html`${[html`<b>1</b>`, '<', 2]}${false}${undefined}${0}`.text).toBe('<b>1</b>&lt;20');
  expect(new Html(escapeHtml('<')).text).toBe('&lt;');
});

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
