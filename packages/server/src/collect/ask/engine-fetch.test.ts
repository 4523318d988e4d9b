import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createEngineFetch } from './engine-fetch.ts';

afterEach(() => vi.restoreAllMocks());

/** Whether the fetch of engines begins to connect to the host. Nothing is sent. */
async function connectsTo(host: string, { mayReachPrivate = false } = {}): Promise<boolean> {
  const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function stop(
    this: Socket,
  ) {
    return this.destroy(new Error('stopped'));
  });
  const engineFetch = createEngineFetch({ mayReachPrivate });
  const code = await engineFetch(`http://${host}/`).catch((error: Error) => error.cause);
  const isBegun = connect.mock.calls.length > 0;
  const refusedBy = mayReachPrivate ? 'address_of_credentials' : 'address_not_public';
  expect(code, host).toMatchObject({ code: isBegun ? 'not_connected' : refusedBy });
  connect.mockRestore();
  return isBegun;
}

test.for([
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '0x7f.1',
  '2130706433',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.8',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.5',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:10.1.1.1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b:1::1]',
  '[64:ff9b:1::8.8.8.8]',
  '[100::1]',
  '[2001::1]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[2002:808:808::]',
  '[3fff::1]',
  '[5f00::1]',
  '[fc00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
])('no request to an engine connects to %s, which is not public', async (host) => {
  expect(await connectsTo(host)).toBe(false);
});

test.for([
  '8.8.8.8',
  '192.31.196.1',
  '192.52.193.1',
  '192.175.48.1',
  '[2606:4700::1111]',
  '[64:ff9b::8.8.8.8]',
  '[::ffff:8.8.8.8]',
])('a request to an engine connects to %s, which is public', async (host) => {
  expect(await connectsTo(host)).toBe(true);
});

test.for([
  '169.254.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b:1::169.254.169.254]',
  '[64:ff9b:1:a9fe:a9:fe00::]',
  '[fe80::1]',
  '[febf::1]',
  '100.100.100.200',
  '[::ffff:100.100.100.200]',
  '[fd00:ec2::254]',
])(
  'not even an engine of the own network is asked at %s, where a cloud gives out credentials',
  async (host) => {
    expect(await connectsTo(host, { mayReachPrivate: true })).toBe(false);
  },
);

test('an engine of the own network is not asked at a name that leads to a link-local address', async () => {
  const lookup = vi.spyOn(dns, 'lookup');
  onTestFinished(() => {
    lookup.mockRestore();
    syncBuiltinESMExports();
  });
  lookup.mockImplementation((...args: readonly unknown[]) => {
    const done = args.at(-1);
    if (typeof done === 'function') done(null, [{ address: '169.254.169.254', family: 4 }]);
  });
  syncBuiltinESMExports();
  const engineFetch = createEngineFetch({ mayReachPrivate: true });
  const error = await engineFetch('http://engine.example/').catch((thrown: Error) => thrown.cause);
  expect(error).toMatchObject({ code: 'address_of_credentials' });
});

test.for([
  '127.0.0.1',
  '10.0.0.1',
  '100.100.100.201',
  '[fc00::1]',
  '[fd00:ec2::253]',
  '[64:ff9b:1::10.0.0.1]',
  '8.8.8.8',
])('an engine of the own network is asked at %s', async (host) => {
  expect(await connectsTo(host, { mayReachPrivate: true })).toBe(true);
});

test('a link-local address with a zone is no host of an engine', async () => {
  const connect = vi.spyOn(Socket.prototype, 'connect');
  const engineFetch = createEngineFetch({ mayReachPrivate: false });
  await expect(engineFetch('http://[fe80::1%25eth0]/')).rejects.toThrow('Failed to parse URL');
  expect(connect).not.toHaveBeenCalled();
});
