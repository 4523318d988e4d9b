import { expect, test } from 'vitest';
import { programCommand } from './program-command.ts';

const node = '/opt/node/bin/node';
const link = '/srv/app/node_modules/.bin/overheard';
const npx = { npm_command: 'exec', PATH: '/srv/app/node_modules/.bin:/usr/bin' };

test.each([
  ['through npx', 'npx overheard', { script: link, env: npx }],
  [
    'by an npm script',
    'npx overheard',
    { script: link, env: { ...npx, npm_command: 'run-script' } },
  ],
  ['by its path in a project', 'npx overheard', { script: link, env: { PATH: '/usr/bin' } }],
  ['in a folder of the project', 'npx overheard', { script: link, env: npx, folder: '/srv/app/a' }],
  [
    'from elsewhere',
    'npx --prefix /srv/app overheard',
    { script: link, env: npx, folder: '/srv/other' },
  ],
  ['beside it', 'npx --prefix /srv/app overheard', { script: link, env: npx, folder: '/srv/app2' }],
  [
    'from a folder with a blank',
    "npx --prefix '/srv/my app' overheard",
    { script: '/srv/my app/node_modules/.bin/overheard', env: npx, folder: '/srv/other' },
  ],
  [
    'from the cache of npx',
    'npx overheard',
    { script: '/srv/cache/_npx/a1/node_modules/.bin/overheard', env: npx, folder: '/srv/other' },
  ],
  ['from the PATH', 'overheard', { script: '/usr/bin/overheard', env: { PATH: '/bin:/usr/bin/' } }],
  [
    'from a PATH that the reader extended',
    'overheard',
    { script: link, env: { PATH: '/srv/app/node_modules/.bin' } },
  ],
  [
    'globally within an npm script',
    'overheard',
    { script: '/usr/bin/overheard', env: { PATH: '/usr/bin', npm_command: 'run-script' } },
  ],
  ['by Node', `${node} /srv/overheard.js`, { script: '/srv/overheard.js', env: {} }],
  ['by a path', `${node} /srv/overheard`, { script: '/srv/overheard', env: { PATH: '/usr/bin' } }],
])('a program that was called %s is called %s in hints', (_, expected, call) => {
  expect(programCommand({ node, folder: '/srv/app', ...call })).toBe(expected);
});
