import type { SearchAttributePair } from '@temporalio/common'
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'

/** Writes those that change: each upsert is an event and a write of the server without one, too. */
export function upsertChanged(wanted: SearchAttributePair[]): void {
  const { typedSearchAttributes } = workflowInfo()
  const current = new Map(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]))
  const changed = wanted.filter(
    ({ key, value }) => current.get(key.name)?.valueOf() !== value?.valueOf(),
  )
  if (changed.length > 0) upsertSearchAttributes(changed)
}
