/**
 * Local activities end within 7 s. After 8 of its 10 s a task is prolonged, and a timer that fires
 * in a prolonged task is replayed after the activity, whichever was first: the run cannot go on.
 */
export const inTask = {
  scheduleToCloseTimeout: '7s',
  retry: { initialInterval: '200ms', maximumAttempts: 3 },
} as const
