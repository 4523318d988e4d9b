const browsers: ReadonlyArray<readonly [RegExp, string]> = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(?:e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: ReadonlyArray<readonly [RegExp, string]> = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** A browser and its system in words that a person recognises: `Firefox on Linux`. */
export function browserWords(userAgent: string | undefined = ''): string {
  const find = (list: typeof browsers) => list.find(([form]) => form.test(userAgent))?.[1];
  const browser = find(browsers) ?? 'Another program';
  const system = find(systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
