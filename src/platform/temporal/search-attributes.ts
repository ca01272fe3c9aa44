import type { Connection } from '@temporalio/client'
import proto from '@temporalio/proto'
import { searchAttributeTypes } from '../../contract/rules/task-queues.ts'

const { IndexedValueType } = proto.temporal.api.enums.v1
const wanted = Object.entries(searchAttributeTypes).map(
  ([name, type]) => [name, IndexedValueType[`INDEXED_VALUE_TYPE_${type}`]] as const,
)

/**
 * Registers the attributes that the namespace lacks. One that exists with another type would silently never match,
 * so that is an error which names it.
 */
export async function ensureSearchAttributes(
  connection: Connection,
  namespace: string,
): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
  const wrong = wanted.filter(
    ([name, type]) => customAttributes[name] !== undefined && customAttributes[name] !== type,
  )
  if (wrong.length > 0) {
    const names = wrong.map(([name, type]) => `${name} (must be ${IndexedValueType[type]})`)
    throw new Error(
      `Namespace ${namespace} has search attributes of another type: ${names.join(', ')}. ` +
        'Remove them with `temporal operator search-attribute remove`, or use another TEMPORAL_NAMESPACE.',
    )
  }
  const missing = wanted.filter(([name]) => customAttributes[name] === undefined)
  if (missing.length > 0) await addSearchAttributes(connection, namespace, missing)
}

/** Registers all of them, unasked; for a server that cannot list what it has. */
export async function addSearchAttributes(
  connection: Connection,
  namespace: string,
  attributes: readonly (readonly [string, number])[] = wanted,
): Promise<void> {
  const searchAttributes = Object.fromEntries(attributes)
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes })
}
