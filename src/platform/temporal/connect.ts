import { setTimeout } from 'node:timers/promises'
import { Client, type ClientInterceptors, Connection, isGrpcServiceError } from '@temporalio/client'
import proto from '@temporalio/proto'
import { searchAttributeTypes } from '../../contract/rules/task-queues.ts'

const RETENTION_SECONDS = 30 * 24 * 3600
const NOT_FOUND = 5
const ALREADY_EXISTS = 6

type EngineAddress = { address: string; namespace: string; interceptors?: ClientInterceptors }

/**
 * A client of the namespace, which it creates or updates first. Waits up to 15 s for a server that
 * has just started.
 */
export async function connectEngine(at: EngineAddress): Promise<Client> {
  const { address, namespace, interceptors = {} } = at
  const connection = await Connection.connect({ address, connectTimeout: '15s' }).catch(
    ({ message }: Error) => {
      throw new Error(
        `No Temporal server answers at ${address} (${message}). Check TEMPORAL_ADDRESS.`,
      )
    },
  )
  try {
    await ensureNamespace(connection, namespace)
    await ensureSearchAttributes(connection, namespace)
  } catch (error) {
    await connection.close()
    throw error
  }
  return new Client({ connection, namespace, interceptors })
}

/** Creates the namespace if needed and keeps closed workflows for at least 30 days. */
async function ensureNamespace(connection: Connection, namespace: string): Promise<void> {
  const { workflowService, operatorService } = connection
  const retention = { seconds: RETENTION_SECONDS as unknown as Long }
  const found = await except(NOT_FOUND, workflowService.describeNamespace({ namespace }))
  if (!found) {
    const created = { namespace, workflowExecutionRetentionPeriod: retention }
    await except(ALREADY_EXISTS, workflowService.registerNamespace(created))
  }
  // A server sees a new namespace only after it has refreshed its list.
  while (!(await except(NOT_FOUND, operatorService.listSearchAttributes({ namespace })))) {
    await setTimeout(200)
  }
  const kept = Number(found?.config?.workflowExecutionRetentionTtl?.seconds ?? RETENTION_SECONDS)
  if (kept >= RETENTION_SECONDS) return
  const config = { workflowExecutionRetentionTtl: retention }
  await workflowService.updateNamespace({ namespace, config })
}

const except = <T>(code: number, call: Promise<T>): Promise<T | undefined> =>
  call.catch((error: unknown) => {
    if (isGrpcServiceError(error) && error.code === code) return undefined
    throw error
  })

const { IndexedValueType } = proto.temporal.api.enums.v1
const wanted = Object.entries(searchAttributeTypes).map(
  ([name, type]) => [name, IndexedValueType[`INDEXED_VALUE_TYPE_${type}`]] as const,
)

/** Adds missing search attributes. Throws for a wrong type, which would silently never match. */
async function ensureSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
  const wrong = wanted.filter(([name, type]) => (customAttributes[name] ?? type) !== type)
  if (wrong.length > 0) {
    const names = wrong.map(([name, type]) => `${name} (must be ${IndexedValueType[type]})`)
    throw new Error(
      `Namespace ${namespace} has search attributes of another type: ${names.join(', ')}. ` +
        'Remove them with `temporal operator search-attribute remove`, or use another ' +
        'TEMPORAL_NAMESPACE.',
    )
  }
  const missing = wanted.filter(([name]) => customAttributes[name] === undefined)
  if (missing.length > 0) await addSearchAttributes(connection, namespace, missing)
}

/** Registers all by default, without asking, for servers that cannot list what they have. */
export async function addSearchAttributes(
  { operatorService }: Connection,
  namespace: string,
  attributes: readonly (readonly [string, number])[] = wanted,
): Promise<void> {
  const searchAttributes = Object.fromEntries(attributes)
  await operatorService.addSearchAttributes({ namespace, searchAttributes })
}
