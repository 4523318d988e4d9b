import { httpUrl, settings } from '../../config.ts';
import type { Setting } from '../../config.ts';

const { host, port } = settings;

/** `--public-url` of commands that print an address of a server that need not run: by default its usual one. */
export const serverAddress: Setting<string> = {
  isSetting: true,
  value: '<url>',
  summary: 'address under which clients reach the server',
  default: `http://${host.default}:${port.default}`,
  parse: httpUrl,
};
