import type { SearchAttributeUpdatePair } from '@temporalio/common'
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'

/** Writes those that change: each upsert is an event and a write of the server without one, too. */
export function upsertChanged(pairs: SearchAttributeUpdatePair[]): void {
  const { typedSearchAttributes } = workflowInfo()
  const current = new Map(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]))
  const changed = pairs.filter(({ key, value }) => textOf(current.get(key.name)) !== textOf(value))
  if (changed.length > 0) upsertSearchAttributes(changed)
}

const textOf = (value: unknown) => JSON.stringify(value ?? null)
