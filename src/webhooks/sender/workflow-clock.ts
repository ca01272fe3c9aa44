/** Workflow time that runs on in an activity; the wall clock where a retry has an old `at`. */
export function workflowClock(at: number): () => Date {
  const base = Math.max(at, Date.now()) - performance.now()
  return () => new Date(base + performance.now())
}
