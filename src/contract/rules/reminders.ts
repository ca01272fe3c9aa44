/** Minutes before the slot at which an agent is reminded unless it asked for other ones. */
export const defaultReminders: readonly number[] = [24 * 60, 2 * 60]
/** What an agent may ask for, in minutes before the slot. */
export const reminderLimits = { count: 5, least: 5, most: 30 * 24 * 60 } as const
