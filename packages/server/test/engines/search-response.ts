/** A response of Claude's API that searched for `query`, got `pages`, and said `text` without citing one. */
export function searchResponse({
  query,
  pages,
  text,
}: {
  query: string;
  pages: ReadonlyArray<Readonly<Record<'url' | 'title', string>>>;
  text: string;
}) {
  return {
    type: 'message',
    model: 'claude-haiku-4-5',
    content: [
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 's1',
        content: pages.map((page) => ({ type: 'web_search_result', ...page })),
      },
      { type: 'text', text },
    ],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1000, output_tokens: 10, server_tool_use: { web_search_requests: 1 } },
  };
}
