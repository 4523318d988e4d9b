/** Which part of `packages/server/src` may import which: a folder, or a file at its root. */
export const importTable: Readonly<Record<string, readonly string[]>> = {
  main: ['cli', 'config'],
  cli: [
    'demo',
    'collect',
    'answers',
    'crawlers',
    'transfer',
    'imports',
    'workspaces',
    'access',
    'people',
    'reports',
    'api',
    'jobs',
    'web',
    'rows',
    'storage',
    'config',
    'refusals',
    'faults',
  ],
  // It stands outside of the flows and goes in by their doors.
  demo: ['answers', 'crawlers', 'transfer', 'workspaces', 'rows', 'storage'],
  // It shares the listener, the checks of requests and the log with the API.
  web: [
    'api',
    'jobs',
    'answers',
    'crawlers',
    'transfer',
    'imports',
    'workspaces',
    'access',
    'people',
    'rows',
    'storage',
    'problems',
    'refusals',
  ],
  // It runs the flows in threads of their own.
  jobs: ['answers', 'transfer', 'imports', 'workspaces', 'people', 'rows', 'storage', 'refusals'],
  // Reads and flows meet in the tables alone.
  api: ['reports', 'access', 'storage', 'problems'],
  reports: ['storage'],
  collect: ['answers', 'workspaces', 'storage', 'refusals'],
  answers: ['rows', 'storage', 'refusals'],
  crawlers: ['rows', 'storage', 'refusals', 'faults'],
  transfer: ['rows', 'storage', 'refusals'],
  // Taking an import back removes runs, as removing answers does.
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
  refusals: ['faults'],
  faults: [],
  version: [],
};

/** Where a part may import one file of another, and no more. */
export const doors = [{ from: 'collect', to: 'answers', door: 'answers/import/import-answers.ts' }];

/** Parts that every part may import but these. */
export const forEverybody = {
  version: ['version', 'values', 'config', 'problems', 'refusals', 'faults'],
  values: ['version', 'values', 'config', 'problems', 'refusals', 'faults'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * Inside a part: which folder, or file beside the folders, may import which. Each list is in the order
 * of its parts: one imports only those above it, so that no circle is possible.
 */
export const innerTables: Readonly<Record<string, ReadonlyArray<readonly [string, string]>>> = {
  // A log line's way, the other way round: read, claimed, compared with lists, judged, kept.
  'packages/server/src/crawlers': [
    ['address', ''],
    ['networks', 'address'],
    ['log-line', ''],
    ['settings', ''],
    ['formats', 'address log-line'],
    ['bots', 'formats'],
    ['robots', 'formats bots'],
    ['referrals', 'log-line'],
    ['operators', 'address networks formats bots'],
    ['verify', 'address networks log-line bots operators'],
    ['hits', 'address log-line settings bots referrals operators verify'],
    ['ingest', 'address networks log-line settings formats bots referrals operators verify hits'],
  ],
  'packages/server/src/collect': [
    ['engines', ''],
    ['raw', 'engines'],
    ['ask', 'engines'],
    ['engine-settings', 'engines'],
  ],
  'packages/server/src/cli': [
    ['terminal', ''],
    ['define', 'terminal'],
    ['words', 'terminal define'],
    ['operator-lists', 'terminal define words'],
    ['filters', 'terminal define words'],
    ['commands', 'terminal define words operator-lists filters'],
    ['command-table', 'define commands'],
    ['run-cli', 'terminal words command-table'],
  ],
  'packages/mcp/src': [
    ['version', ''],
    ['text', ''],
    ['config', ''],
    ['failure', 'text'],
    ['tools', 'text'],
    ['client', 'text tools config failure'],
    ['call', 'text tools client failure'],
    ['serve', 'text tools client call config failure version'],
    ['main', 'text client serve config version'],
  ],
  'packages/server/src/answers': [
    ['detection', ''],
    ['stored-detections', 'detection'],
    ['judged-run', 'stored-detections'],
    ['read-stored-runs', 'detection judged-run'],
    ['subjects', 'detection'],
    ['run-identity', ''],
    ['rollups', 'detection subjects run-identity'],
    ['scores', 'detection judged-run read-stored-runs subjects rollups'],
    ['import', 'detection stored-detections subjects run-identity scores'],
    ['redetect', 'detection stored-detections judged-run read-stored-runs subjects scores'],
    ['spellings', 'detection subjects'],
    ['untracked', 'detection judged-run read-stored-runs subjects spellings'],
    ['actions', 'detection read-stored-runs subjects scores'],
    ['remove', 'scores actions'],
  ],
  'packages/server/src/answers/detection': [
    ['subject', ''],
    ['method', ''],
    ['language', ''],
    ['text', ''],
    ['links', 'subject language text'],
    ['names', 'subject language text links'],
    ['scan-answer', 'subject language text links names'],
    ['list-mentions', 'subject language text names scan-answer'],
    ['detect', 'subject text links names scan-answer'],
  ],
  // The two databases know what they share; only the doors above know both.
  'packages/server/src/storage': [
    ['chunks', ''],
    ['duplicate', ''],
    ['finding', ''],
    ['unavailable', ''],
    ['gate', ''],
    ['order-by', ''],
    ['people-tables', ''],
    ['rollup-tables', ''],
    ['import-tables', ''],
    ['job-tables', ''],
    ['engine-tables', ''],
    ['schema', 'engine-tables job-tables people-tables rollup-tables import-tables'],
    ['find-id', 'schema'],
    ['stored-engines', 'schema'],
    ['rollups', 'chunks schema'],
    ['migrations', ''],
    ['record-import', 'import-tables schema'],
    ['workspace-tables', 'migrations'],
    ['store', 'schema'],
    ['quota-state', 'store'],
    ['quota-use', 'store'],
    ['write', 'schema store'],
    ['cells', ''],
    ['stored-rows', 'cells chunks schema store'],
    ['sqlite', 'finding gate schema migrations workspace-tables store quota-state'],
    ['postgres', 'chunks finding gate schema migrations store quota-state'],
    ['staging', 'unavailable sqlite'],
    ['open', 'finding store sqlite postgres'],
  ],
  'packages/server/src/api': [
    ['service', ''],
    ['request', 'service'],
    ['endpoints', 'request'],
    ['response', 'service request endpoints'],
    ['plain-routes', 'service response'],
    ['http-server', 'service request response'],
    ['pipeline', 'service request response'],
    ['app', 'service request response endpoints plain-routes http-server pipeline'],
  ],
};

/** What the packages may import of each other. */
export const packageTable: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  server: ['@overheard/contract'],
  mcp: ['@overheard/contract'],
};
