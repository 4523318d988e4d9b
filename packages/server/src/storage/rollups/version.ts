/**
 * Version of the rules by which rollups are made. Raise it when a rule changes: a server fills the
 * rollups of an older version before it serves, and commands that read rollups fill them first.
 */
export const rollupVersion = 5;
