import { expect, test } from 'vitest';
import { defaultBaseUrl, readConfig } from './config.ts';

test('without settings there is no key, and the address is the default one of `overheard serve`', () => {
  const { apiKey, baseUrl } = readConfig({});
  expect(apiKey).toBeUndefined();
  expect(baseUrl?.href).toBe(`${defaultBaseUrl}/`);
});

test.each(['', '${user_config.api_key}', '${OVERHEARD_API_KEY}'])(
  'a field that a host left empty or did not fill counts as not set: %j',
  (value) => {
    const { apiKey, baseUrl } = readConfig({ OVERHEARD_API_KEY: value, OVERHEARD_BASE_URL: value });
    expect(apiKey).toBeUndefined();
    expect(baseUrl?.href).toBe(`${defaultBaseUrl}/`);
  },
);

test('white space around a value is not part of it', () => {
  const { apiKey } = readConfig({ OVERHEARD_API_KEY: ' overheard_x\n' });
  expect(apiKey).toBe('overheard_x');
});

test.each([
  ['https://example.com', 'https://example.com/'],
  ['https://example.com/overheard/', 'https://example.com/overheard'],
  ['http://127.0.0.1:8484/api/v1', 'http://127.0.0.1:8484/'],
  ['http://127.0.0.1:8484/api/v1/scores', 'http://127.0.0.1:8484/'],
])('%s is the address %s', (given, address) => {
  expect(readConfig({ OVERHEARD_BASE_URL: given }).baseUrl?.href).toBe(address);
});

test.each(['localhost:8484', 'ftp://example.com', 'https://a/?b', 'https://me:pw@a/'])(
  '%s is no usable address',
  (given) => {
    expect(readConfig({ OVERHEARD_BASE_URL: given }).baseUrl).toBeUndefined();
  },
);
