/**
 * Responses written by hand from the engines' documentation: one answer of each, to the same question
 * and with the same two sources, of which the second is cited first.
 */
export const answerText =
  'Globex suits a small agency[2]. Acme is made for agencies[1]. Both are cheap — 9 €.';

const [first, second] = [
  { url: 'https://acme.com/agencies', title: 'Acme for agencies' },
  { url: 'https://globex.com/', title: 'Globex' },
];

export const citedPages: ReadonlyArray<{ readonly url: string; readonly title: string }> = [
  second,
  first,
];

const unread = { url: 'https://example.org/list', title: 'A list' };
const createdAt = 1_795_262_400; // 2026-11-21T12:00:00Z

function annotation(page: { url: string; title: string }, start: number): object {
  return { type: 'url_citation', start_index: start, end_index: start + 5, ...page };
}

const openai = {
  id: 'resp_1',
  object: 'response',
  created_at: createdAt,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'gpt-6-luna',
  output: [
    { type: 'reasoning', summary: [] },
    {
      type: 'web_search_call',
      status: 'completed',
      action: {
        type: 'search',
        queries: ['crm for small agencies'],
        sources: [first, second, unread].map(({ url }) => ({ type: 'url', url })),
      },
    },
    { type: 'web_search_call', action: { type: 'open_page', url: unread.url } },
    {
      type: 'message',
      role: 'assistant',
      phase: 'commentary',
      content: [{ type: 'output_text', text: 'I will look at Initech first.', annotations: [] }],
    },
    {
      type: 'message',
      role: 'assistant',
      phase: 'final_answer',
      status: 'completed',
      content: [
        {
          type: 'output_text',
          text: answerText,
          annotations: [annotation(second, 10), annotation(first, 40), annotation(second, 60)],
        },
      ],
    },
  ],
  usage: {
    input_tokens: 9000,
    input_tokens_details: { cached_tokens: 1000 },
    output_tokens: 120,
  },
};

const grok = {
  ...openai,
  id: 'grok-1',
  model: 'grok-4.3',
  usage: {
    ...openai.usage,
    cost_in_usd_ticks: 161_508_500,
    server_side_tool_usage_details: { web_search_calls: 1 },
  },
};

const perplexity = {
  id: 'resp_2',
  object: 'response',
  created_at: createdAt,
  status: 'completed',
  error: null,
  model: 'perplexity/sonar',
  output: [
    {
      type: 'search_results',
      queries: ['crm for small agencies'],
      results: [first, second, unread].map((page, place) => ({
        id: place + 1,
        ...page,
        snippet: 'A CRM.',
        source: 'web',
      })),
    },
    {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: answerText, annotations: [] }],
    },
  ],
  usage: {
    input_tokens: 3000,
    output_tokens: 40,
    cost: { currency: 'USD', tool_calls_cost: 0.0025, total_cost: 0.0034 },
    tool_calls_details: { search_web: { invocation: 1 } },
  },
};

const claude = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-4-5-20251001',
  content: [
    { type: 'text', text: 'I will search for Initech.' },
    {
      type: 'server_tool_use',
      id: 'srvtoolu_1',
      name: 'web_search',
      input: { query: 'crm for small agencies' },
    },
    {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [first, second, unread].map((page) => ({
        type: 'web_search_result',
        ...page,
        encrypted_content: 'AAAA',
        page_age: null,
      })),
    },
    {
      type: 'text',
      text: answerText.slice(0, 30),
      citations: [{ type: 'web_search_result_location', ...second, cited_text: 'Globex' }],
    },
    {
      type: 'text',
      text: answerText.slice(30),
      citations: [{ type: 'web_search_result_location', ...first, cited_text: 'Acme' }],
    },
  ],
  stop_reason: 'end_turn',
  usage: { input_tokens: 9000, output_tokens: 120, server_tool_use: { web_search_requests: 1 } },
};

const gemini = {
  candidates: [
    {
      content: {
        role: 'model',
        parts: [{ text: 'I think about Initech.', thought: true }, { text: answerText }],
      },
      finishReason: 'STOP',
      index: 0,
      groundingMetadata: {
        webSearchQueries: ['crm for small agencies'],
        groundingChunks: [first, second, unread].map(({ url, title }) => ({
          web: { uri: url, title },
        })),
        groundingSupports: [
          { segment: { startIndex: 40, endIndex: 60, text: 'Acme' }, groundingChunkIndices: [0] },
          { segment: { endIndex: 30, text: 'Globex' }, groundingChunkIndices: [1] },
        ],
      },
    },
  ],
  usageMetadata: { promptTokenCount: 9000, candidatesTokenCount: 60, thoughtsTokenCount: 60 },
  modelVersion: 'gemini-3.5-flash',
  responseId: 'gemini-1',
};

const interactions = {
  id: 'v1_1',
  object: 'interaction',
  status: 'completed',
  created: '2026-11-21T12:00:00Z',
  model: 'gemini-3.5-flash',
  steps: [
    { type: 'thought', signature: 'AAAA' },
    { type: 'google_search_call', id: 'a', arguments: { queries: ['crm for small agencies'] } },
    { type: 'google_search_result', call_id: 'a', result: [{ search_suggestions: '<div></div>' }] },
    {
      type: 'model_output',
      content: [
        {
          type: 'text',
          text: answerText,
          annotations: [annotation(second, 0), annotation(first, 40)],
        },
      ],
    },
  ],
  usage: { total_input_tokens: 9000, total_output_tokens: 60, total_thought_tokens: 60 },
};

const mistral = {
  object: 'conversation.response',
  conversation_id: 'conv_1',
  outputs: [
    {
      type: 'tool.execution',
      name: 'web_search',
      arguments: '{"query": "crm for small agencies"}',
      created_at: '2026-11-21T11:59:58Z',
    },
    {
      type: 'message.output',
      role: 'assistant',
      model: 'mistral-medium-latest',
      created_at: '2026-11-21T12:00:00Z',
      content: [
        { type: 'text', text: answerText.slice(0, 30) },
        { type: 'tool_reference', tool: 'web_search', ...second, source: 'brave' },
        { type: 'text', text: answerText.slice(30) },
        { type: 'tool_reference', tool: 'web_search', ...first, source: 'brave' },
      ],
    },
  ],
  usage: {
    prompt_tokens: 200,
    completion_tokens: 120,
    connector_tokens: 8800,
    connectors: { web_search: 1 },
  },
};

/** A response in the Chat Completions format. */
function completion(
  head: { readonly id: string; readonly model: string },
  message: object,
  usage: object,
) {
  return {
    ...head,
    object: 'chat.completion',
    created: createdAt,
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: answerText, ...message },
      },
    ],
    usage: { prompt_tokens: 9000, completion_tokens: 120, ...usage },
  };
}

const chat = completion(
  { id: 'gen-1', model: 'openai/gpt-5.2' },
  {
    refusal: null,
    annotations: [second, first].map((page) => ({
      type: 'url_citation',
      url_citation: { ...page, start_index: 0, end_index: 0 },
    })),
  },
  { cost: 0.0123, server_tool_use_details: { web_search_requests: 1 } },
);

const sonar = {
  ...completion(
    { id: 'sonar-1', model: 'sonar' },
    {},
    { num_search_queries: 1, cost: { total_cost: 0.006 } },
  ),
  citations: [first, second, unread].map(({ url }) => url),
  search_results: [first, second, unread],
};

/** One response of each documented shape, by a name that begins with the slug of its engine. */
export const engineResponses = {
  chatgpt_api: openai,
  claude_api: claude,
  perplexity_api: perplexity,
  'perplexity_api, Sonar': sonar,
  gemini_api: gemini,
  'gemini_api, Interactions': interactions,
  grok_api: grok,
  mistral_api: mistral,
  deepseek_api: { ...openai, id: 'deepseek-1', model: 'deepseek-v4-flash' },
  openai_compatible: chat,
};
