import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { Store } from '../storage/store.ts';
import { parseStoredSources } from '../storage/counts/linked-pages.ts';

const chat = z.object({ messages: z.array(z.object({ content: z.string() })).min(1) });

/** The invented cost of a question in the demo. */
const madeUpUsd = 0.01;

/**
 * An engine on loopback that answers a prompt of the demo with one of the workspace's own answers, in
 * the format of Chat Completions. Resolves with its address.
 */
export async function startReplay({ reader }: Store, workspaceId: string): Promise<string> {
  let requestCount = 0;
  const server = createServer((request, response) => {
    void text(request)
      .then(async (body) => {
        const [message] = chat.parse(JSON.parse(body)).messages;
        return reply(message?.content ?? '');
      })
      .then(
        (json) => response.setHeader('content-type', 'application/json').end(JSON.stringify(json)),
        () => response.writeHead(400).end(),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return `http://127.0.0.1:${port}/v1`;

  async function reply(prompt: string): Promise<object> {
    const rows = await reader
      .selectFrom('answers')
      .select(['answer', 'sources'])
      .where('workspace_id', '=', workspaceId)
      .where('asked', '=', prompt)
      .where('answer', '<>', '')
      .orderBy('run_id')
      .execute();
    const { answer, sources } = rows[requestCount++ % rows.length] ?? { answer: '', sources: '[]' };
    return {
      model: 'made-up',
      choices: [
        {
          message: { content: answer, annotations: parseStoredSources(sources) },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 0, completion_tokens: 0, cost: madeUpUsd },
    };
  }
}
