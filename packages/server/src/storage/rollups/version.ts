/**
 * Version of the rules by which rollups are made. Increase it when a rule changes: servers and
 * commands then fill the rollups of an older version before they read them.
 */
export const rollupVersion = 6;
