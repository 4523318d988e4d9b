/** What runs the flows may import. */
const flows = [
  'collect',
  'answers',
  'crawlers',
  'transfer',
  'imports',
  'workspaces',
  'people',
  'rows',
  'storage',
  'refusals',
];

/** Which part of `packages/server/src` may import which: a folder, or a file at its root. */
export const importTable: Readonly<Record<string, readonly string[]>> = {
  main: ['cli', 'config'],
  cli: [
    'demo',
    ...flows,
    'publishing',
    'access',
    'reports',
    'messages',
    'api',
    'reach',
    'jobs',
    'web',
    'config',
  ],
  // The demo is outside of the flows and calls them as commands do.
  demo: ['answers', 'crawlers', 'transfer', 'workspaces', 'publishing', 'rows', 'storage'],
  // Pages share the listener, the checks of requests and the log with the API.
  web: ['api', 'reports', 'publishing', 'messages', 'jobs', ...flows, 'access', 'problems'],
  jobs: [...flows, 'publishing'],
  // Reads and flows meet in the tables alone.
  api: ['reports', 'access', 'storage', 'problems'],
  // Programs that send bodies read through the API, or send log lines.
  reach: ['api', 'crawlers', 'people', 'access', 'storage', 'problems'],
  // Messages say what reports, budgets, engines and keys show.
  messages: ['reports', 'collect', 'access', 'storage'],
  // Publishing stores what reports compute.
  publishing: ['reports', 'people', 'storage', 'refusals'],
  reports: ['storage'],
  collect: ['answers', 'workspaces', 'storage', 'refusals'],
  answers: ['rows', 'storage', 'refusals'],
  crawlers: ['rows', 'storage', 'refusals'],
  transfer: ['rows', 'storage', 'refusals'],
  // Reverting an import removes runs, as removing answers does.
  imports: ['answers', 'storage', 'refusals'],
  workspaces: ['storage', 'refusals'],
  access: ['storage', 'problems', 'refusals'],
  people: ['storage', 'refusals'],
  rows: ['refusals'],
  storage: ['refusals'],
  // The ground floor: what everybody may import.
  values: [],
  config: [],
  problems: [],
  refusals: [],
  version: [],
};

/** Where a part may import these files, or files of these folders, of another, and no more. */
export const doors = [
  {
    from: 'collect',
    to: 'answers',
    files:
      'read-stored-runs subjects import/read-answers import/import-answers import/replace-answers'
        .split(' ')
        .map((name) => `answers/${name}.ts`)
        .concat('answers/stances/'),
  },
  // What belongs to any HTTP request, but no endpoint. Threads of pages also read the API's reports.
  {
    from: 'web',
    to: 'api',
    files: ['api/request/', 'api/response/', 'api/service/', 'api/read-report-body.ts'],
  },
  { from: 'reach', to: 'crawlers', files: ['crawlers/spool/'] },
  { from: 'reach', to: 'api', files: ['api/request/', 'api/response/', 'api/service/'] },
];

/** Parts that every part may import but these. */
export const forEverybody = {
  version: ['version', 'values', 'config', 'problems', 'refusals'],
  values: ['version', 'values', 'config', 'problems'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * Inside a part: which folder, or file beside the folders, may import which. Each list is in the order
 * of its parts: one imports only those above it, so that no circle is possible.
 */
export const innerTables: Readonly<Record<string, ReadonlyArray<readonly [string, string]>>> = {
  // The steps of a log line, the first one lowest: read, recognise, compare with lists, judge, store.
  'packages/server/src/crawlers': [
    ['log-line', ''],
    ['settings', ''],
    ['formats', 'log-line'],
    ['bots', 'formats'],
    ['robots', ''],
    ['referrals', 'log-line'],
    ['operators', 'formats bots'],
    ['verify', 'log-line bots operators'],
    ['hits', 'log-line settings bots referrals operators verify'],
    ['ingest', 'log-line settings formats bots referrals operators verify hits'],
    ['spool', 'formats hits ingest'],
  ],
  'packages/server/src/collect': [
    ['engines', ''],
    ['raw', 'engines'],
    ['ask', 'engines'],
    ['engine-settings', 'engines'],
    ['complete-settings', 'engines engine-settings'],
    ['keys', 'engine-settings'],
    ['ledger', 'engines ask engine-settings keys'],
    ['prompts', ''],
    ['retries', ''],
    ['ask-in-turn', 'engines ask ledger retries'],
    ['collect', 'ask ledger retries ask-in-turn'],
    ['stances', 'engines ledger retries ask-in-turn collect'],
    ['estimate-collecting', 'engines ledger'],
    ['reread', 'engines ledger'],
    ['list-plan', 'engines ledger'],
    ['collection', 'engines ledger estimate-collecting'],
    ['ask-now', 'engines ledger estimate-collecting'],
    ['set-up-engine', 'engine-settings ledger'],
    ['test-engine', 'engines ask engine-settings keys ledger'],
    ['engine-report', 'engines engine-settings ledger'],
    ['worker', 'collect'],
    ['collector', 'engines worker'],
    ['thread', 'ask worker collector'],
  ],
  'packages/server/src/cli': [
    ['terminal', ''],
    ['define', 'terminal'],
    ['words', 'terminal define'],
    ['operator-lists', 'terminal define words'],
    ['collecting', 'terminal define words'],
    ['filters', 'terminal define words'],
    ['commands', 'terminal define words operator-lists collecting filters'],
    ['command-table', 'define commands'],
    ['run-cli', 'terminal words command-table'],
  ],
  'packages/tools/src': [
    ['text', ''],
    ['failure', 'text'],
    ['tools', 'text'],
    ['read', 'text tools failure'],
    ['call', 'text tools read failure'],
    ['serve', 'text tools read call'],
    ['index', 'text failure tools read serve'],
  ],
  'packages/mcp/src': [
    ['version', ''],
    ['config', ''],
    ['client', 'config'],
    ['serve', 'client config version'],
    ['main', 'client serve config version'],
  ],
  'packages/server/src/answers': [
    ['detection', ''],
    ['stored-detections', 'detection'],
    ['read-stored-runs', 'detection'],
    ['page-texts', 'detection read-stored-runs'],
    ['subjects', 'detection'],
    ['stances', 'detection read-stored-runs subjects'],
    ['paste-prompts', 'subjects'],
    ['propose-prompts', ''],
    ['engine-proposals', ''],
    ['topics', 'detection'],
    ['counts', 'detection subjects'],
    ['scores', 'detection read-stored-runs subjects counts'],
    ['redetect', 'detection stored-detections read-stored-runs page-texts subjects scores'],
    ['spellings', 'detection subjects'],
    ['untracked', 'detection read-stored-runs subjects spellings'],
    ['actions', 'detection read-stored-runs subjects counts scores'],
    // Replacing answers changes what actions follow from.
    ['import', 'detection stored-detections page-texts subjects scores actions'],
    ['remove', 'scores actions'],
  ],
  'packages/server/src/answers/detection': [
    ['subject', ''],
    ['language', ''],
    ['text', ''],
    ['shared-text', ''],
    ['furniture', 'shared-text text'],
    ['links', 'subject language text'],
    ['names', 'subject language text links'],
    ['scan-answer', 'subject language text links names'],
    ['list-mentions', 'subject language text names scan-answer'],
    ['detect', 'subject text links names scan-answer'],
  ],
  // The two databases know what they share; only the doors above know both.
  'packages/server/src/storage': [
    ['chunks', ''],
    ['cells', ''],
    ['duplicate', ''],
    ['finding', ''],
    ['unavailable', ''],
    ['packed-text', ''],
    ['gate', ''],
    ['tables', ''],
    ['schema', 'tables'],
    ['queries', 'schema'],
    ['record-import', 'chunks tables schema'],
    ['note-changes', 'chunks schema'],
    ['prompt-tags', 'chunks schema'],
    ['gaps', 'prompt-tags queries schema'],
    ['published-reports', 'schema'],
    ['migrations', 'packed-text finding tables schema'],
    ['workspace-tables', 'tables schema'],
    ['store', 'tables schema'],
    ['counts', 'chunks tables schema queries store'],
    ['bits', 'chunks schema'],
    ['ledger-home', 'schema store'],
    ['copy', 'tables schema store'],
    ['quota', 'store'],
    ['write', 'schema store'],
    ['stored-rows', 'cells chunks schema record-import store'],
    [
      'sqlite',
      'packed-text tables finding gate schema migrations workspace-tables store ledger-home copy quota',
    ],
    ['postgres', 'tables chunks finding gate schema migrations workspace-tables store copy quota'],
    ['staging', 'unavailable sqlite'],
    ['open', 'finding store copy sqlite postgres'],
  ],
  // The way of a visit: read the request, run its page of parts and charts, respond.
  'packages/server/src/web': [
    ['browser', ''],
    ['assets', ''],
    ['markup', ''],
    ['reader', 'markup'],
    ['request', 'assets markup reader'],
    ['parts', 'assets markup request'],
    ['charts', 'markup parts'],
    ['pages', 'markup reader request parts charts'],
    ['routes', 'request pages'],
    ['pipeline', 'request'],
    ['response', 'assets markup reader request parts'],
    ['app', 'assets request routes pipeline response'],
  ],
  // Report links show pages of the other folders.
  'packages/server/src/web/pages': [
    ['answers', ''],
    ['start', 'answers'],
    ['gaps', ''],
    ['overview', 'start answers gaps'],
    ['sources', ''],
    ['searches', ''],
    ['stances', ''],
    ['prompts', 'gaps sources'],
    ['topics', ''],
    ['competitors', 'sources'],
    ['crawlers', ''],
    ['collection', 'crawlers'],
    ['data', ''],
    ['subjects', ''],
    ['reports', 'overview'],
    ['report-links', 'overview prompts sources stances competitors gaps crawlers reports'],
    ['workspaces', ''],
    ['connectors', 'workspaces'],
    ['account', 'workspaces connectors'],
    ['members', 'report-links account'],
    ['keys', 'connectors'],
    ['receivers', ''],
    ['messages', ''],
    ['history', ''],
    ['operator', ''],
    ['find', 'workspaces'],
    ['engines', ''],
  ],
  'packages/server/src/api': [
    ['service', ''],
    ['request', 'service'],
    ['endpoints', 'request'],
    ['response', 'service request'],
    ['served-endpoints', 'request endpoints'],
    ['read-report-body', 'service request response served-endpoints'],
    ['plain-routes', 'service response'],
    ['starting-server', 'response'],
    ['endpoint-steps', 'service request response served-endpoints'],
    ['pipeline', 'service request response endpoint-steps'],
    ['app', 'service request response served-endpoints plain-routes endpoint-steps pipeline'],
  ],
};

/** What the packages may import of each other. */
export const packageTable: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  tools: ['@overheard/contract'],
  server: ['@overheard/contract', '@overheard/tools'],
  mcp: ['@overheard/contract', '@overheard/tools'],
};
