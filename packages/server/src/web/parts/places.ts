/** A page of the navigation. */
export interface Place {
  readonly path: string;
  readonly title: string;
  /** `g` and this letter open the page. */
  readonly key: string;
}

export const places: readonly Place[] = [
  { path: '', title: 'Overview', key: 'o' },
  { path: 'prompts', title: 'Prompts', key: 'p' },
  { path: 'answers', title: 'Answers', key: 'a' },
  { path: 'competitors', title: 'Competitors', key: 'c' },
  { path: 'sources', title: 'Sources', key: 's' },
  { path: 'gaps', title: 'Gaps', key: 'g' },
  { path: 'crawlers', title: 'Crawlers', key: 'r' },
];
export const placesOfSettings: readonly Place[] = [
  { path: 'settings/subjects', title: 'Brand and competitors', key: 'u' },
  { path: 'settings/collection', title: 'Asking engines', key: 'l' },
  { path: 'settings/data', title: 'Import and export', key: 'd' },
  { path: 'settings/keys', title: 'API keys', key: 'k' },
  { path: 'settings/receivers', title: 'Log receivers', key: 'v' },
  { path: 'settings/members', title: 'People', key: 'm' },
  { path: 'settings/links', title: 'Report links', key: 'i' },
  { path: 'settings/messages', title: 'Messages', key: 'e' },
  { path: 'settings/history', title: 'History', key: 'h' },
];
