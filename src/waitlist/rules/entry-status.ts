/** Every status of an entry. `offered`: it has a hold to confirm. */
export const entryStatuses = ['watching', 'offered', 'fulfilled', 'cancelled', 'expired'] as const
export type EntryStatus = (typeof entryStatuses)[number]
