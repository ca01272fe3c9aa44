import {
  defineSignal,
  isCancellation,
  patched,
  proxyActivities,
  setHandler,
  uuid4,
} from '@temporalio/workflow'
import type { WebhookActivities } from '../../activities/webhooks.ts'
import { WEBHOOKS_QUEUE } from '../../src/contract/rules/task-queues.ts'
import {
  type CommandOutcome,
  type EndpointStart,
  endpointCommandNames,
  type GivenCommand,
} from '../../src/webhooks/rules/endpoint-messages.ts'

/** How many commands the details keep. */
const SHOWN = 5
const MOST_CHARS = 200

/** A command and its outcome, as the details show it. */
export type CommandNote = string

type Endpoint = {
  start: EndpointStart
  /** The time of its account, in ms. */
  now(): number
  /** Looks at the rows again. */
  wake(): void
  /** Aborts requests in flight. */
  abortRequests(): void
  /** Shows the last commands, the newest first. */
  show(notes: readonly CommandNote[]): void
}

/**
 * Handles the signals that do something. Each runs an activity that does it in the rows, unless the
 * owner's operation has done it already, one after the other and beside a batch. Nothing that a
 * signal carries can fail the workflow. `notes`: of the run before.
 */
export function handleCommands(endpoint: Endpoint, notes: readonly CommandNote[]): void {
  // Histories from before hold these signals too, and they did nothing but wake.
  const acts = patched('signals-act')
  let last = Promise.resolve()
  let shown = notes
  const run = async (command: GivenCommand) => {
    const outcome = await outcomeOf(endpoint, command)
    const time = new Date(endpoint.now()).toISOString().slice(0, 19)
    const note = `${time}Z \`${command.name}\` ${inWords(outcome)}`
    shown = [note, ...shown].slice(0, SHOWN)
    endpoint.show(shown)
    if ('revoked' in outcome) endpoint.abortRequests()
    endpoint.wake()
  }
  for (const name of endpointCommandNames) {
    setHandler(defineSignal<unknown[]>(name), async (input, abortsRequests) => {
      endpoint.wake()
      if (acts && !isNewsOfBefore(input)) {
        const command = { name, id: idIn(input) ?? uuid4(), input }
        const before = last
        last = before.then(() => run(command))
        await last
      } else if (name === 'rotateSecret' && abortsRequests === true) endpoint.abortRequests()
    })
  }
}

/** Processes of the release before signal an id of what they have done, as text. */
const isNewsOfBefore = (input: unknown) =>
  typeof input === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(input)

function idIn(input: unknown): string | undefined {
  const id = typeof input === 'object' && input !== null && 'id' in input ? input.id : undefined
  return typeof id === 'string' ? id : undefined
}

async function outcomeOf({ start, now }: Endpoint, command: GivenCommand): Promise<CommandOutcome> {
  const { runCommand } = proxyActivities<WebhookActivities>({
    taskQueue: WEBHOOKS_QUEUE,
    startToCloseTimeout: '2m',
    heartbeatTimeout: '10s',
    // Longer would keep a run from continuing as new.
    scheduleToCloseTimeout: '1h',
    retry: { initialInterval: '1s', maximumInterval: '30s' },
    summary: `${command.name} ${command.id}`.slice(0, MOST_CHARS),
  })
  try {
    return await runCommand(start, command, now())
  } catch (error) {
    if (isCancellation(error)) throw error
    return { ignored: 'it failed on our side for an hour; send it again' }
  }
}

const inWords = (outcome: CommandOutcome) =>
  'done' in outcome ? outcome.done : `ignored: ${outcome.ignored.slice(0, MOST_CHARS)}`
