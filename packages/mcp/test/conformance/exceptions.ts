/** Scenarios and single checks of the official suite that do not apply to this server, and why. */
export interface Exception {
  readonly reason: string;
  /** `scenario`, or `scenario:check` where the rest of the scenario must pass. */
  readonly entries: readonly string[];
}

const noFixtures: Exception = {
  reason: 'calls a tool of the suite’s own by its name, which no product has',
  entries: [
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-error',
    'tools-call-with-progress',
    'json-schema-2020-12',
  ],
};

const noResourcesOrPrompts: Exception = {
  reason: 'is about resources or completions, or calls a prompt of the suite’s own by its name',
  entries: [
    'completion-complete',
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
};

const noSuchResource: Exception = {
  reason: 'wants a certain error for a resource that is missing; there are no resources at all',
  entries: ['sep-2164-resource-not-found'],
};

const noSessions: Exception = {
  reason: 'wants a session over HTTP; each request stands for itself',
  entries: ['server-sse-multiple-streams'],
};

/** By revision: the requirement sets as they were frozen at its release. */
export const exceptions: Readonly<Record<string, readonly Exception[]>> = {
  '2026-07-28': [
    noFixtures,
    noResourcesOrPrompts,
    noSuchResource,
    {
      reason: 'are about lists that this server does not have',
      entries: [
        'caching:sep-2549-resources-list-caching-hints',
        'caching:sep-2549-resources-templates-list-caching-hints',
      ],
    },
    {
      reason: 'need diagnostic tools of the suite’s own: "Not testable"',
      entries: [
        'server-stateless:sep-2575-server-rejects-undeclared-capability',
        'server-stateless:sep-2575-missing-capability-http-400',
        'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
        'server-stateless:sep-2575-server-no-log-without-loglevel',
      ],
    },
    {
      reason: 'are about a server that asks its users for something; this one never does',
      entries: [
        'input-required-result-basic-elicitation',
        'input-required-result-basic-sampling',
        'input-required-result-basic-list-roots',
        'input-required-result-request-state',
        'input-required-result-multiple-input-requests',
        'input-required-result-multi-round',
        'input-required-result-non-tool-request',
        'input-required-result-result-type',
        'input-required-result-tampered-state',
        'input-required-result-capability-check',
        'input-required-result-missing-input-response',
        'input-required-result-ignore-extra-params',
      ],
    },
    {
      reason: 'are about an extension for long tasks; a read is answered at once',
      entries: [
        'tasks-lifecycle',
        'tasks-capability-negotiation',
        'tasks-wire-fields',
        'tasks-request-state-removal',
        'tasks-mrtr-input',
        'tasks-request-headers',
        'tasks-dispatch-and-envelope',
        'tasks-required-task-error',
        'tasks-mrtr-composition',
      ],
    },
    {
      reason: 'needs a tool whose arguments travel in headers; no host of today sends them',
      entries: ['http-custom-header-server-validation'],
    },
  ],
  '2025-11-25': [
    noFixtures,
    noResourcesOrPrompts,
    noSessions,
    {
      reason: 'are about subscriptions, logging, sampling and elicitation, which are not offered',
      entries: [
        'resources-subscribe',
        'resources-unsubscribe',
        'logging-set-level',
        'tools-call-with-logging',
        'tools-call-sampling',
        'tools-call-elicitation',
        'elicitation-sep1034-defaults',
        'elicitation-sep1330-enums',
      ],
    },
  ],
};

/** By revision: what a server at an address leaves out on top of that. */
export const atAddress: Readonly<Record<string, readonly Exception[]>> = {
  '2026-07-28': [
    {
      reason: 'wants a stream of changes; the lists never change, and a stream would stay open',
      entries: [
        'server-stateless:sep-2575-server-sends-subscription-ack',
        'server-stateless:sep-2575-server-tags-subscription-id',
      ],
    },
  ],
};
