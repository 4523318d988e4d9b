/**
 * Version of the rules by which rollups are made. Whoever changes a rule raises it: a server fills the
 * rollups of an older version before it answers.
 */
export const rollupVersion = 1;
