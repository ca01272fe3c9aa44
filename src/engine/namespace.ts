import { setTimeout } from 'node:timers/promises'
import { type Connection, isGrpcServiceError } from '@temporalio/client'

const RETENTION_SECONDS = 30 * 24 * 3600
const NOT_FOUND = 5
const ALREADY_EXISTS = 6

/** Makes sure that the namespace exists and keeps closed workflows for at least 30 days. */
export async function ensureNamespace(connection: Connection, namespace: string): Promise<void> {
  const { workflowService } = connection
  const retention = { seconds: RETENTION_SECONDS as unknown as Long }
  const found = await describe(connection, namespace)
  if (!found) {
    await workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention })
      .catch((error: unknown) => {
        if (!hasCode(error, ALREADY_EXISTS)) throw error
      })
    while (!(await describe(connection, namespace))) await setTimeout(200)
    return
  }
  const kept = Number(found.config?.workflowExecutionRetentionTtl?.seconds ?? 0)
  if (kept >= RETENTION_SECONDS) return
  await workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: retention },
  })
}

async function describe(connection: Connection, namespace: string) {
  try {
    return await connection.workflowService.describeNamespace({ namespace })
  } catch (error) {
    if (hasCode(error, NOT_FOUND)) return undefined
    throw error
  }
}

const hasCode = (error: unknown, code: number) => isGrpcServiceError(error) && error.code === code
