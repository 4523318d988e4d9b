/** What a message says. The whole of it is posted as JSON. */
export interface Message {
  readonly type: 'weekly' | 'alert' | 'test';
  readonly timestamp: string;
  /** All of it as lines, which Slack and others show. */
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

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
    text: lines.join('\n').replaceAll('<', '‹').replaceAll('>', '›'),
    data,
  };
}

/** A message that shows whether a recipient gets messages. */
export function testMessage(slug: string, nowMs: number): Message {
  const lines = [`Messages about ${slug} from Overheard arrive here.`];
  return toMessage({ type: 'test', nowMs, lines, data: { workspace: slug } });
}
