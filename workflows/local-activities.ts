/**
 * Local activities end within 7 s. After 8 of its 10 s, a workflow task is prolonged, and a timer
 * that fires in a prolonged task is replayed after the activity, even if it fired first. The run
 * would then be stuck.
 */
export const inTask = {
  scheduleToCloseTimeout: '7s',
  retry: { initialInterval: '200ms', maximumAttempts: 3 },
} as const
