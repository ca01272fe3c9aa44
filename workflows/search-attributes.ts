import type { SearchAttributeUpdatePair } from '@temporalio/common'
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'

/** Writes only changed attributes: each upsert, even of an equal value, is an event and a write. */
export function upsertChanged(pairs: SearchAttributeUpdatePair[]): void {
  const { typedSearchAttributes } = workflowInfo()
  const current = new Map(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]))
  const changed = pairs.filter(({ key, value }) => textOf(current.get(key.name)) !== textOf(value))
  if (changed.length > 0) upsertSearchAttributes(changed)
}

const textOf = (value: unknown) => JSON.stringify(value ?? null)
