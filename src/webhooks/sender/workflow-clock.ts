/** Workflow time as it goes on during an activity; `at` of an activity that is tried again is a time long past. */
export function workflowClock(at: number): () => Date {
  const base = Math.max(at, Date.now()) - performance.now()
  return () => new Date(base + performance.now())
}
