/**
 * Version of the rules by which rollups are made. Raise it when a rule changes: a server fills the
 * rollups of an older version before it serves.
 */
export const rollupVersion = 2;
