/**
 * Checks the API's description with the two linters that its users run. They are large and rarely
 * needed, so npx fetches them; `npm test` validates the description against OpenAPI's own schema.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from '@overheard/contract';

const linters = [
  'npx --yes @redocly/cli@2.77.0 lint --extends=recommended openapi.json',
  'npx --yes @stoplight/spectral-cli@6.16.3 lint --fail-severity=hint openapi.json',
];

const folder = mkdtempSync(join(tmpdir(), 'overheard-openapi-'));
try {
  const document = openApiDocument({ serverUrl: 'https://overheard.acme.test', version: '0.0.0' });
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
  writeFileSync(join(folder, '.spectral.json'), '{ "extends": ["spectral:oas"] }');
  for (const command of linters) {
    const { status } = spawnSync(command, { cwd: folder, stdio: 'inherit', shell: true });
    if (status !== 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
