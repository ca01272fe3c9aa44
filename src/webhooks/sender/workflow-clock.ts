import { notBefore, type OnClock } from '../../base/account-time.ts'

/**
 * Workflow time that runs on in an activity; the present where a retry has an old `at`. On a test
 * clock it is what that said when the activity began.
 */
export function workflowClock(account: OnClock, at: number): () => Date {
  const base = notBefore(account, at).getTime() - performance.now()
  return () => new Date(base + performance.now())
}
