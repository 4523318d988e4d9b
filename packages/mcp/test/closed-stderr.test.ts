import { expect, test } from 'vitest';
import { modernMeta, startProgram } from './line-host.ts';

test('an opening of an unknown revision gets the error of the protocol, even if the host has closed stderr', async () => {
  const host = startProgram();
  host.child.stderr.destroy();
  const unknown = { ...modernMeta, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' };
  for (const method of ['server/discover', 'tools/list']) {
    const { error } = await host.request(method, { _meta: unknown });
    expect(error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'] } });
  }
  const { result } = await host.request('tools/list', { _meta: modernMeta });
  expect(result?.['tools']).toBeDefined();
  expect(await host.close()).toBe(0);
});
