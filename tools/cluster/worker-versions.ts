import { execFile } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'
import { findTemporalCli } from '../../src/local/temporal-cli.ts'

const run = promisify(execFile)
const { ROUTING_CONFIG_UPDATE_STATE_IN_PROGRESS: ROUTING } =
  proto.temporal.api.enums.v1.RoutingConfigUpdateState
const POLL_MS = 250
const TIMEOUT_MS = 120_000
/** The server's list shows changes to a workflow only after a moment. */
const LISTED_MS = 3_000

type Deployment = { client: Client; address: string; name: string }

/**
 * The commands from `docs/operate/worker-versions.md`, for tests and rehearsals: each is run by the
 * Temporal CLI until it succeeds and has taken effect.
 */
export async function openWorkerVersions({ client, address, name }: Deployment) {
  const cli = await findTemporalCli({ chosen: process.env.TEMPORAL_CLI })
  const { namespace } = client.options
  const server = ['--address', address, '--namespace', namespace]
  const temporal = (...words: string[]) => run(cli, [...words, ...server])
  const deployment = ['--deployment-name', name]
  const query = (build: string, behavior: 'Pinned' | 'AutoUpgrade') =>
    `ExecutionStatus="Running" and TemporalWorkerDeploymentVersion="${name}:${build}" and ` +
    `TemporalWorkflowVersioningBehavior="${behavior}"`
  const count = async (matching: string) => (await client.workflow.count(matching)).count
  const update = (matching: string, override: string[]) =>
    temporal(
      ...['workflow', 'update-options', '--query', matching, ...override],
      ...['--reason', 'worker versions', '--yes'],
    )

  /** The server refuses a build until its workers poll. Undefined: workers without a build id. */
  async function setCurrent(build: string | undefined): Promise<void> {
    const version = build ? ['--build-id', build] : ['--unversioned']
    const words = [
      'worker',
      'deployment',
      'set-current-version',
      ...deployment,
      ...version,
      '--yes',
    ]
    await until(`${build ?? 'unversioned'} to be current`, () =>
      temporal(...words).then(
        () => true,
        (error: Error) => error,
      ),
    )
    await until('the change to reach the task queues', async () => {
      const { routingConfigUpdateState } =
        (await client.workflowService.describeWorkerDeployment({ namespace, deploymentName: name }))
          .workerDeploymentInfo ?? {}
      return routingConfigUpdateState !== ROUTING
    })
  }

  /** Resets a workflow whose task failed on older code, as pinning alone does not move it back. */
  async function resetFailed(matching: string, pin: string[]): Promise<void> {
    for await (const { workflowId, runId } of client.workflow.list({ query: matching })) {
      const { raw } = await client.workflow.getHandle(workflowId, runId).describe()
      if ((raw.pendingWorkflowTask?.attempt ?? 1) === 1) continue
      await temporal(
        ...['workflow', 'reset', 'with-workflow-update-options', '--workflow-id', workflowId],
        ...['--type', 'LastWorkflowTask', '--reason', 'worker versions', ...pin],
      )
    }
  }

  return {
    setCurrent,
    /** Goes back to `build`. Returns how many workflows stay pinned to `abandoned`. */
    async goBack(build: string, abandoned: string): Promise<number> {
      const option = '--versioning-override'
      const pin = [
        ...[`${option}-behavior`, 'pinned', `${option}-deployment-name`, name],
        ...[`${option}-build-id`, abandoned],
      ]
      const movable = query(abandoned, 'AutoUpgrade')
      await update(movable, pin)
      await setCurrent(build)
      let emptySince = Number.POSITIVE_INFINITY
      await until(`all workflows of ${abandoned} to be pinned`, async () => {
        if ((await count(movable)) === 0) {
          emptySince = Math.min(emptySince, performance.now())
          return performance.now() - emptySince >= LISTED_MS
        }
        emptySince = Number.POSITIVE_INFINITY
        await update(movable, pin)
        await resetFailed(movable, pin)
        return false
      })
      return count(query(abandoned, 'Pinned'))
    },
    /** Lets workflows that `goBack` pinned move to the current version. */
    async release(build: string): Promise<void> {
      await update(query(build, 'Pinned'), ['--versioning-override-behavior', 'unspecified'])
      const none = async () => (await count(query(build, 'Pinned'))) === 0
      await until(`the workflows of ${build} to be released`, none)
    },
    /** How many running workflows are pinned to this version. */
    countPinned: (build: string) => count(query(build, 'Pinned')),
  }
}

export type WorkerVersions = Awaited<ReturnType<typeof openWorkerVersions>>

async function until(what: string, isSo: () => Promise<boolean | Error>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    const answer = await isSo()
    if (answer === true) return
    if (performance.now() > deadline) {
      throw new Error(`Waited in vain for ${what}.`, answer ? { cause: answer } : undefined)
    }
    await setTimeout(POLL_MS)
  }
}
