import { expect, test } from 'vitest';
import { normaliseHost } from './host.ts';

test('a host has one spelling, with or without port, user and brackets', () => {
  for (const [text, host] of [
    ['WWW.Example.com:8443', 'www.example.com'],
    ['user:secret@example.com.', 'example.com'],
    ['[2001:DB8:0::1]:443', '[2001:db8::1]'],
    ['2001:db8::1', '[2001:db8::1]'],
    ['192.0.2.7:80', '192.0.2.7'],
  ] as const) {
    expect(normaliseHost(text), text).toBe(host);
    expect(normaliseHost(host)).toBe(host);
  }
});

test('text that is not a host is not read as one', () => {
  for (const text of ['', 'a b', 'a/b', '2001:db8:', '[example]', '[::1', 'a:1:2']) {
    expect(normaliseHost(text), text).toBeUndefined();
  }
});
