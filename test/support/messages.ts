import { randomUUID } from 'node:crypto'
import type { Service } from './network.ts'
import type { Input } from './wrong-messages.ts'

// UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ACCEPTED
const ACCEPTED = 2

/** Each input with its encoding, as sent by `temporal --input TEXT --input-meta encoding=NAME`. */
function payloadsOf(inputs: readonly Input[]) {
  const texts = inputs.filter((one) => typeof one === 'string')
  const [[, meta = 'encoding=json/plain'] = []] = inputs.filter((one) => typeof one !== 'string')
  const encoding = Buffer.from(meta.replace('encoding=', ''))
  return {
    payloads: texts.map((text) => ({ metadata: { encoding }, data: Buffer.from(text) })),
  }
}

/**
 * The messages that the command `temporal` sends to a workflow, byte for byte, without starting a
 * process for each.
 */
export function openMessages({ client }: Pick<Service, 'client'>) {
  const { workflowService } = client
  const { namespace } = client.options
  const identity = 'operator'
  return {
    signal: (workflowId: string, signalName: string, input: readonly Input[]) =>
      workflowService.signalWorkflowExecution({
        namespace,
        workflowExecution: { workflowId },
        signalName,
        input: payloadsOf(input),
        identity,
        requestId: randomUUID(),
      }),
    query: (workflowId: string, queryType: string, input: readonly Input[]) =>
      workflowService.queryWorkflow({
        namespace,
        execution: { workflowId },
        query: { queryType, queryArgs: payloadsOf(input) },
      }),
    /** Whether the workflow accepts an update, or rejects it as malformed. */
    async accept(workflowId: string, name: string, input: readonly Input[]): Promise<boolean> {
      const update = {
        namespace,
        workflowExecution: { workflowId },
        waitPolicy: { lifecycleStage: ACCEPTED },
        request: {
          meta: { updateId: randomUUID(), identity },
          input: { name, args: payloadsOf(input) },
        },
      }
      for (;;) {
        const { stage, outcome } = await workflowService.updateWorkflowExecution(update)
        if (outcome) return !outcome.failure
        if (stage >= ACCEPTED) return true
      }
    },
  }
}
