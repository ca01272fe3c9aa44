import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Client, WorkflowHandle } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'

/** Writes every history of a namespace to the folder in RECORD_HISTORIES, if it is set. */
export async function recordHistories({ workflow }: Client): Promise<void> {
  if (!process.env.RECORD_HISTORIES) return
  for await (const { type, workflowId, runId, status } of workflow.list()) {
    await recordHistory(workflow.getHandle(workflowId, runId), `${type}.${status.name}.${runId}`)
  }
}

/** Writes a history to the RECORD_HISTORIES folder, compressed, without the machine's name. */
export async function recordHistory(handle: WorkflowHandle, name: string): Promise<void> {
  const folder = process.env.RECORD_HISTORIES
  if (!folder) return
  await mkdir(folder, { recursive: true })
  const history = JSON.parse(historyToJSON(await handle.fetchHistory()))
  await writeFile(join(folder, `${name}.json.gz`), gzipSync(JSON.stringify(history, anonymous)))
}

function anonymous(key: string, value: unknown): unknown {
  if (key === 'stackTrace') return undefined
  const isMachine = key === 'identity' || (typeof value === 'string' && /^\d+@[\w.-]+/.test(value))
  return isMachine ? 'worker' : value
}
