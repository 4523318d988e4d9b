/** Made-up answers and subjects: the same for the same seed. */
import type { DetectableSubject } from '../../packages/server/src/answers/detection/subject.ts';
import { createRandom } from '../bench.ts';

const words =
  'the best tool for small teams is often one that fits how they work and integrates with other software they already use pricing starts at about ten dollars per user per month which suits agencies and consultants who need reports quickly'.split(
    ' ',
  );
const endings = ['', ' Cloud', '-Suite', ''];

/** Made-up names. */
export function makeNames(count: number): string[] {
  const random = createRandom(11);
  const pick = (letters: string): string => letters.charAt(Math.floor(random() * letters.length));
  return Array.from({ length: count }, (_, index) => {
    const syllables = Array.from({ length: 3 }, () => pick('bcdfglmnprstvz') + pick('aeiou'));
    const name = syllables.join('');
    return name.charAt(0).toUpperCase() + name.slice(1) + (endings[index % endings.length] ?? '');
  });
}

/** A brand and competitors, each with 4 aliases and a domain. */
export function makeSubjects(count: number): DetectableSubject[] {
  const names = makeNames(4 * count);
  return Array.from({ length: count }, (_, index): DetectableSubject => {
    const own = names.slice(4 * index, 4 * index + 4);
    return {
      id: `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`,
      type: index === 0 ? 'brand' : 'competitor',
      aliases: own.map((alias) => ({ alias, match: 'default' })),
      domains: [domainOf(own[0] ?? '')],
    };
  });
}

/** Answers of about 2,500 characters: lists, emphasis, typographic signs, links, names of 50 subjects. */
export function makeAnswers(count: number): string[] {
  const random = createRandom(7);
  const names = makeNames(200);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  return Array.from({ length: count }, () => {
    let text = '';
    while (text.length < 2500) {
      if (random() < 0.12) text += `- **${pick(names)}** — `;
      text += Array.from({ length: 14 }, () => pick(words)).join(' ');
      if (random() < 0.2) {
        const name = pick(names);
        text += `; it’s said of [${name}](https://www.${domainOf(name)}/pricing?utm_source=chatgpt.com)`;
      }
      text += '.\n';
    }
    return text;
  });
}

function domainOf(name: string): string {
  return `${name.toLowerCase().replace(/[^a-z]/g, '')}.com`;
}
