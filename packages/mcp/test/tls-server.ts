import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:https';

/** A server on loopback whose certificate nobody but itself has signed, until it is closed. */
export async function startTlsServer() {
  const server = createServer(selfSigned(), (_request, response) => response.end('{}'));
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A key and the smallest certificate of it (X.509 version 1, RFC 5280), for `localhost`. */
function selfSigned(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'));
  const commonName = Buffer.from('0603550403', 'hex');
  const name = der(0x30, der(0x31, der(0x30, commonName, der(0x0c, Buffer.from('localhost')))));
  const years = ['20200101000000Z', '21200101000000Z'];
  const validity = der(0x30, ...years.map((time) => der(0x18, Buffer.from(time))));
  const holder = publicKey.export({ type: 'spki', format: 'der' });
  const serial = der(0x02, Buffer.from([1]));
  const signed = der(0x30, serial, ecdsaWithSha256, name, validity, name, holder);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey));
  const whole = der(0x30, signed, ecdsaWithSha256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${whole}\n-----END CERTIFICATE-----\n`,
  };
}

/** A value of ASN.1: its tag, its length, its parts. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
