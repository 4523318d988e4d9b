import { httpUrl, settings } from '../../config.ts';
import type { Setting } from '../../config.ts';

const { host, port } = settings;

/**
 * `--public-url` for commands that print an address of a server, which need not run. The default is
 * the usual address.
 */
export const serverAddress: Setting<string> = {
  isSetting: true,
  value: '<url>',
  summary: 'address under which clients reach the server',
  default: `http://${host.default}:${port.default}`,
  parse: httpUrl,
};
