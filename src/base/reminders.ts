/** Reminder times, in minutes before the slot. */
export const defaultReminders: readonly number[] = [24 * 60, 2 * 60]
export const reminderLimits = { count: 5, least: 5, most: 30 * 24 * 60 } as const
