/** Who appears in the demo: all of them made up. */

export interface Player {
  readonly name: string;
  readonly domains: readonly string[];
  /** How often answers name it, from 0 to 1: at the demo's beginning and at its end. */
  readonly fame: readonly [number, number];
}

export const brand: Player = {
  name: 'Acme',
  domains: ['acme.example'],
  fame: [0.22, 0.46],
};

export const competitors: readonly Player[] = [
  { name: 'Globex', domains: ['globex.example'], fame: [0.62, 0.58] },
  { name: 'Initech', domains: ['initech.example'], fame: [0.44, 0.4] },
  { name: 'Umbra', domains: ['umbra.example'], fame: [0.28, 0.34] },
  { name: 'Vandelay', domains: ['vandelay.example'], fame: [0.16, 0.15] },
];

/** The engines, and how much likelier than elsewhere they name the brand. */
export const engines: ReadonlyArray<{ readonly slug: string; readonly bias: number }> = [
  { slug: 'chatgpt', bias: 0.04 },
  { slug: 'claude', bias: 0.08 },
  { slug: 'copilot', bias: -0.04 },
  { slug: 'gemini', bias: 0 },
  { slug: 'google_ai_overview', bias: -0.08 },
  { slug: 'perplexity', bias: 0.06 },
];

interface Question {
  readonly text: string;
  readonly language: string;
  readonly locale: string;
}

const english = (locale: string, texts: readonly string[]): Question[] =>
  texts.map((text) => ({ text, language: 'en', locale }));

/** Questions that name no tracked subject. */
export const questions: readonly Question[] = [
  ...english('en-US', [
    'Which CRM suits a small agency?',
    'What is the best CRM for a team of five?',
    'Which CRM has the best free plan?',
    'What CRM do freelancers use?',
    'Which CRM works well with shared mailboxes?',
    'What is the easiest CRM to set up?',
    'Which sales tool helps with follow-ups?',
    'Which CRM is best for real estate agents?',
    'What CRM should a startup choose in its first year?',
    'Which CRM has a good mobile app?',
    'What are good alternatives to spreadsheets for tracking leads?',
    'Which CRM is good for nonprofits?',
    'Which CRM can send quotes and invoices?',
    'What CRM has the best reporting for small teams?',
    'Which CRM has an open API?',
    'Which CRM can I host myself?',
    'What CRM do consultants recommend?',
    'Which CRM is best for recruiting?',
    'Which CRM imports contacts from a CSV file most easily?',
    'What is the cheapest CRM with automation?',
    'Which CRM keeps data in Europe?',
    'Which CRM has good support?',
    'What CRM works best for long sales cycles?',
    'Which CRM do architects use?',
    'Which CRM helps to find duplicates?',
    'What is a good CRM for event planners?',
  ]),
  ...english('en-GB', [
    'Which CRM is best for a British charity?',
    'Which CRM suits a small law firm?',
    'What CRM handles VAT on quotes?',
    'Which CRM do estate agents in the UK use?',
    'Which CRM is simple enough for tradespeople?',
    'What CRM suits a small accountancy practice?',
  ]),
  ...[
    'Welches CRM eignet sich für kleine Agenturen?',
    'Welches CRM speichert seine Daten in Deutschland?',
    'Welches CRM ist für Handwerksbetriebe gut?',
    'Was ist das einfachste CRM für Vereine?',
  ].map((text) => ({ text, language: 'de', locale: 'de-DE' })),
];

/** Questions that name the brand: their runs are detected, not scored. */
export const brandedQuestions: readonly Question[] = english('en-US', [
  'Is Acme a good CRM?',
  'How does Acme compare with Globex?',
  'What does Acme cost?',
  'What do customers say about Acme?',
]);
