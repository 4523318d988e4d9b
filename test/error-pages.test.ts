import { join } from 'node:path';
import { problemCodes, problemPath, problems } from '@overheard/contract';
import { expect, test } from 'vitest';
import { repository, repositoryFiles } from './source-files.ts';

test('docs/errors.md has each problem code in the words of its page', async () => {
  await expect(errorsPage(), 'Run `npm run docs`').toMatchFileSnapshot(
    join(repository, 'docs/errors.md'),
  );
});

test('each problem code is expected by a test of the server', () => {
  const texts = repositoryFiles()
    .filter(({ path }) => /^packages\/server\/.*\.test\.ts$/.test(path))
    .map(({ text }) => text);
  expect(texts.length).toBeGreaterThan(50);
  const unexpected = problemCodes.filter(
    (code) => !texts.some((text) => text.includes(`'${code}'`)),
  );
  expect(unexpected).toEqual([]);
});

/** `npm run docs` writes it again. */
function errorsPage(): string {
  return `# Errors

Every failure of the API is a problem document ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) with the media type \`application/problem+json\`:

\`\`\`json
{
  "type": "https://api.example.com${problemPath('invalid_parameter')}",
  "title": "${problems.invalid_parameter.title}",
  "status": ${problems.invalid_parameter.status},
  "detail": "One query parameter is not valid; \`errors\` says what is expected.",
  "code": "invalid_parameter",
  "request_id": "0f0b3a52-9a0e-4f4e-8f5c-2d6f2a1f7c11",
  "errors": [
    {
      "parameter": "stauts",
      "message": "It is not a parameter of this endpoint. Did you mean \\"status\\"?"
    }
  ]
}
\`\`\`

Decide by \`code\`: the list below is closed, and within v1 it only grows. \`type\` leads to the server's own page of the code. \`request_id\` is also in the header \`X-Request-Id\` and in the server's log. \`errors\` is there with \`invalid_parameter\` alone.

${problemCodes.map(listItem).join('\n')}
${problemCodes.map(section).join('')}
## Refusals of the commands

A command that cannot do its work says on stderr what happened and what to do. Its exit code is 2 for wrong usage, and 1 for everything else: a wrong state of data or files, or a database that is unavailable for now. The API responds with 503 \`unavailable\` to the last, and the same command may succeed later.
`;
}

function listItem(code: (typeof problemCodes)[number]): string {
  const { status, title } = problems[code];
  return `- ${status} [\`${code}\`](#${code}): ${title}`;
}

function section(code: (typeof problemCodes)[number]): string {
  const { status, title, meaning, fix } = problems[code];
  return `
## ${code}

**${title}.** Status ${status}.

What happened: ${meaning}

How to fix it: ${fix}
`;
}
