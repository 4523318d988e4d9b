/** How far from a request evidence may be that has no limit of its own, in days and milliseconds. */
export const evidenceNearDays = 30;
export const evidenceNearMs = evidenceNearDays * 86_400_000;
