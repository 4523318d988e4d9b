/** The pages that a report link can show, by their path in a workspace. */
export const shareablePages = {
  overview: { path: '', title: 'Overview' },
  prompts: { path: 'prompts', title: 'Prompts' },
  competitors: { path: 'competitors', title: 'Competitors' },
  stances: { path: 'stances', title: 'How you are presented' },
  sources: { path: 'sources', title: 'Sources' },
  gaps: { path: 'gaps', title: 'Gaps' },
  crawlers: { path: 'crawlers', title: 'Crawlers' },
  reports: { path: 'reports', title: 'Published report' },
} as const;

export type ShareablePage = keyof typeof shareablePages;

export function isShareable(name: string): name is ShareablePage {
  return Object.hasOwn(shareablePages, name);
}

/** The page of a path such as `/w/acme/crawlers`; undefined for a page that cannot be shared. */
export function shareableAt(path: string): ShareablePage | undefined {
  const pagePath = path.split('/').slice(3).join('/');
  return Object.keys(shareablePages)
    .filter(isShareable)
    .find((name) => shareablePages[name].path === pagePath);
}
