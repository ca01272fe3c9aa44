/**
 * Workflow time that goes on during an activity. A retried activity is given an old `at`; it runs
 * by the wall clock.
 */
export function workflowClock(at: number): () => Date {
  const base = Math.max(at, Date.now()) - performance.now()
  return () => new Date(base + performance.now())
}
