/** What a person says about the business, in English. */
export interface Offering {
  /** What it sells, in the singular: `newsletter tool`. */
  readonly what: string;
  /** For whom: `small shops`. May be empty. */
  readonly who: string;
  /** Where: `Canada`. May be empty. */
  readonly where: string;
}

/** Proposed questions of one topic. */
export interface ProposedTopic {
  readonly topic: string;
  readonly texts: readonly string[];
}

/** Competitors that are named in questions. */
const namedMax = 3;

/** Proposes questions that buyers ask, by topic. They name competitors, never the brand. */
export function proposePrompts(
  offering: Offering,
  competitors: readonly string[],
): readonly ProposedTopic[] {
  const what = tidy(offering.what);
  const who = tidy(offering.who);
  if (what === '') return [];
  const forWhom = who === '' ? '' : ` for ${who}`;
  const toWhom = who === '' ? '' : ` to ${who}`;
  const people = who === '' ? 'people' : who;
  const place = tidy(offering.where) === '' ? '' : ` in ${tidy(offering.where)}`;
  const named = competitors.slice(0, namedMax);
  const [first, second] = named;
  return [
    {
      topic: 'Best of',
      texts: [
        `What is the best ${what}${forWhom}${place}?`,
        `Which ${what} would you recommend${toWhom}${place}?`,
        `What is the most popular ${what}${place}?`,
        `Which ${what} has the best reviews${place}?`,
        `Which ${what} is new and worth a look?`,
      ],
    },
    {
      topic: 'Choosing',
      texts: [
        `How do ${people} choose the right ${what}?`,
        `What matters most when choosing a ${what}${forWhom}?`,
        `Which ${what} is easiest to start with?`,
        `Which ${what} is best for beginners?`,
        `Which ${what} is best for large companies?`,
      ],
    },
    {
      topic: 'Price',
      texts: [
        `What is the best value ${what}${forWhom}${place}?`,
        `Which ${what} is cheap and good?`,
        `How much does a good ${what} cost${place}?`,
        `Is an expensive ${what} worth the money?`,
      ],
    },
    {
      topic: 'Trust',
      texts: [
        `Which ${what} is the most reliable?`,
        `Which ${what} has the best customer service${place}?`,
        `Which ${what} do experts trust?`,
        `What are common problems with a ${what}, and which one avoids them?`,
      ],
    },
    {
      topic: 'Alternatives',
      texts: [
        ...named.map((name) => `What are good alternatives to ${name}?`),
        ...(first !== undefined && second !== undefined
          ? [`${first} or ${second}: which is better${forWhom}?`]
          : []),
        `Which companies offer the best ${what}${place}?`,
        `Which ${what} should I switch to?`,
      ],
    },
  ];
}

function tidy(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
