import { setTimeout } from 'node:timers/promises'
import { type Client, isGrpcServiceError } from '@temporalio/client'
import proto from '@temporalio/proto'
import { networkQueues, taskQueueTypes } from './queues.ts'

/** Which release of the workers gets which workflows: Worker Versioning of one deployment. */
export type Deployment = { client: Client; name: string }

/** The versions that begin workflows now; undefined stands for workers without a build id. */
export type Routing = {
  current: string | undefined
  ramping: { buildId: string; percent: number } | undefined
}

const { ROUTING_CONFIG_UPDATE_STATE_IN_PROGRESS } =
  proto.temporal.api.enums.v1.RoutingConfigUpdateState
const NOT_FOUND = 5
const TURN_MS = 250
const WITHIN_MS = 60_000
const ROUTED_WITHIN_MS = 30_000

/** Throws if no worker with a build id has polled yet. */
export async function readRouting({ client, name }: Deployment): Promise<Routing> {
  const { namespace } = client.options
  const described = await client.workflowService
    .describeWorkerDeployment({ namespace, deploymentName: name })
    .catch((error: unknown) => {
      if (!isGrpcServiceError(error) || error.code !== NOT_FOUND) throw error
      throw new Error(`No worker of deployment ${name} has polled in namespace ${namespace} yet.`)
    })
  const routing = described.workerDeploymentInfo?.routingConfig
  const ramping = routing?.rampingDeploymentVersion?.buildId
  return {
    current: routing?.currentDeploymentVersion?.buildId || undefined,
    ramping: ramping
      ? { buildId: ramping, percent: routing?.rampingVersionPercentage ?? 0 }
      : undefined,
  }
}

/**
 * Gives new workflows, and the next tasks of long ones, to this version. Waits until its workers
 * serve every queue: tasks of a queue without them would wait for ever. Undefined: to workers
 * without a build id.
 */
export async function setCurrent(at: Deployment, buildId: string | undefined): Promise<void> {
  if (buildId) await requireQueues(at, buildId)
  const { client, name: deploymentName } = at
  const { namespace } = client.options
  await client.workflowService.setWorkerDeploymentCurrentVersion({
    namespace,
    deploymentName,
    buildId: buildId ?? '',
  })
  await untilRouted(at)
}

/** Gives a share of the workflows to this version, each always to the same. Undefined ends it. */
export async function setRamping(
  at: Deployment,
  buildId: string | undefined,
  percentage: number,
): Promise<void> {
  if (buildId) await requireQueues(at, buildId)
  const { client, name: deploymentName } = at
  const { namespace } = client.options
  await client.workflowService.setWorkerDeploymentRampingVersion({
    namespace,
    deploymentName,
    buildId: buildId ?? '',
    percentage,
  })
  await untilRouted(at)
}

/** A change reaches the task queues a moment later; after 30 s it is not waited for any more. */
async function untilRouted({ client, name: deploymentName }: Deployment): Promise<void> {
  const { namespace } = client.options
  const deadline = performance.now() + ROUTED_WITHIN_MS
  for (;;) {
    const described = await client.workflowService.describeWorkerDeployment({
      namespace,
      deploymentName,
    })
    const state = described.workerDeploymentInfo?.routingConfigUpdateState
    const isRouted = state !== ROUTING_CONFIG_UPDATE_STATE_IN_PROGRESS
    if (isRouted || performance.now() > deadline) return
    await setTimeout(TURN_MS)
  }
}

/** How many running workflows had their last task on that version. */
export const countRunningOn = (at: Deployment, buildId: string): Promise<number> =>
  countOf(at.client, runningOn(at, buildId))

/**
 * How many running workflows end on another version than this one: scheduled runs that began there,
 * and what `rollBack` left behind.
 */
export const countPinnedElsewhere = (at: Deployment, buildId: string): Promise<number> =>
  countOf(
    at.client,
    `ExecutionStatus="Running" and ${behaves('Pinned')} and ` +
      `TemporalWorkerDeploymentVersion!="${at.name}:${buildId}"`,
  )

/** A query for the running workflows whose last task was on that version. */
export const runningOn = ({ name }: Deployment, buildId: string) =>
  `ExecutionStatus="Running" and TemporalWorkerDeploymentVersion="${name}:${buildId}"`

/** A part of a query: whether workflows stay on their version. */
export const behaves = (how: 'Pinned' | 'AutoUpgrade') =>
  `TemporalWorkflowVersioningBehavior="${how}"`

/** How many workflows a query finds. */
export const countOf = async (client: Client, query: string): Promise<number> =>
  (await client.workflow.count(query)).count

/** Throws after a minute, naming the queues that the version does not serve. */
async function requireQueues({ client, name: deploymentName }: Deployment, buildId: string) {
  const { namespace } = client.options
  const deploymentVersion = { deploymentName, buildId }
  let missing: string[] = []
  const areServed = async () => {
    const { versionTaskQueues } = await client.workflowService
      .describeWorkerDeploymentVersion({ namespace, deploymentVersion })
      .catch(orNothing({ versionTaskQueues: [] }))
    missing = networkQueues
      .filter(([queue, kind]) =>
        versionTaskQueues.every(
          ({ name, type }) => name !== queue || type !== taskQueueTypes[kind],
        ),
      )
      .map(([queue, kind]) => `${queue} (${kind})`)
    return missing.length === 0
  }
  await until(areServed, () => `No worker of ${buildId} polls ${missing.join(', ')}.`)
}

const orNothing =
  <T>(nothing: T) =>
  (error: unknown): T => {
    if (isGrpcServiceError(error) && error.code === NOT_FOUND) return nothing
    throw error
  }

/** Asks until the answer is yes; throws the fault when it has not been for a minute. */
export async function until(
  isSo: () => Promise<boolean>,
  fault: () => string,
  withinMs = WITHIN_MS,
): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(fault())
    await setTimeout(TURN_MS)
  }
}
