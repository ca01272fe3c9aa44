import { setTimeout } from 'node:timers/promises'
import { type Connection, isGrpcServiceError } from '@temporalio/client'

const RETENTION_SECONDS = 30 * 24 * 3600
const NOT_FOUND = 5
const ALREADY_EXISTS = 6

/** Makes sure that the namespace can be used and keeps closed workflows for at least 30 days. */
export async function ensureNamespace(connection: Connection, namespace: string): Promise<void> {
  const { workflowService } = connection
  const retention = { seconds: RETENTION_SECONDS as unknown as Long }
  const found = await orMissing(workflowService.describeNamespace({ namespace }))
  if (!found) {
    await workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention })
      .catch((error: unknown) => {
        if (!hasCode(error, ALREADY_EXISTS)) throw error
      })
  }
  // A server learns of a new namespace only when it next reads its list of them.
  const { operatorService } = connection
  while (!(await orMissing(operatorService.listSearchAttributes({ namespace })))) {
    await setTimeout(200)
  }
  const kept = Number(found?.config?.workflowExecutionRetentionTtl?.seconds ?? RETENTION_SECONDS)
  if (kept >= RETENTION_SECONDS) return
  await workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: retention },
  })
}

const orMissing = <T>(call: Promise<T>): Promise<T | undefined> =>
  call.catch((error: unknown) => {
    if (hasCode(error, NOT_FOUND)) return undefined
    throw error
  })

const hasCode = (error: unknown, code: number) => isGrpcServiceError(error) && error.code === code
