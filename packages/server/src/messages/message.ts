import { z } from 'zod';

/** A message as it is stored. */
export const messageSchema = z.object({
  type: z.enum(['weekly', 'alert', 'test']),
  timestamp: z.string(),
  /** All of it as lines, which Slack and others show. */
  text: z.string(),
  data: z.record(z.string(), z.unknown()),
});

/** What a message says. The whole of it is posted as JSON. */
export type Message = Readonly<z.infer<typeof messageSchema>>;

/** Makes a message of its lines. */
export function toMessage({
  type,
  nowMs,
  lines,
  data,
}: Pick<Message, 'type' | 'data'> & {
  readonly nowMs: number;
  readonly lines: readonly string[];
}): Message {
  return {
    type,
    timestamp: new Date(nowMs).toISOString(),
    // Slack would read a tag as a mention or a link.
    text: lines
      .join('\n')
      .replaceAll('<', '‹')
      .replaceAll('>', '›')
      // Chats that read this as Slack does would call everybody.
      .replaceAll(/@(?=here|channel|everyone|all)/gi, '@\u200B'),
    data,
  };
}

/** A message that shows whether a recipient gets messages. */
export function testMessage(slug: string, nowMs: number): Message {
  const lines = [`Messages about ${slug} from Overheard arrive here.`];
  return toMessage({ type: 'test', nowMs, lines, data: { workspace: slug } });
}
