/**
 * Version of the rules by which counts are made. Increase it when a rule changes: servers and
 * commands then fill the counts of an older version before they read them.
 */
export const countsVersion = 10;
