import {
  CancellationScope,
  proxyActivities,
  setDefaultSignalHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { WebhookActivities } from '../../activities/webhooks.ts'
import { WEBHOOKS_QUEUE } from '../../src/base/task-queues.ts'
import {
  type CommandOutcome,
  type EndpointStart,
  endpointCommandNames,
  type GivenCommand,
} from '../../src/webhooks/rules/endpoint-messages.ts'
import { onSignal } from '../messages.ts'
import { unreadable } from '../shapes.ts'
import { commands } from './endpoint-messages.ts'

/** Maximum number of commands in the details. */
const MAX_LINES = 5
const MAX_CHARS = 200
const MAX_NAME_CHARS = 40

/** A command and its outcome, as shown in the details. */
export type CommandNote = string

/** A command, or the fault in a signal's contents. */
type ReadCommand = GivenCommand | { name: GivenCommand['name']; fault: string }

type Endpoint = {
  start: EndpointStart
  /** The account's time, in ms. */
  now(): number
  /** Reads the rows again. */
  wake(): void
  /** Aborts requests in flight. */
  abortRequests(): void
  /** Shows the last commands, newest first. */
  show(notes: readonly CommandNote[]): void
}

/**
 * Handles signals that have effects. Each runs an activity that changes the rows, unless the
 * owner's operation has already done so. They run one after another, in parallel with a batch. No
 * signal's contents can fail the workflow. `notes` are from the previous run.
 */
export function handleCommands(endpoint: Endpoint, notes: readonly CommandNote[]): void {
  let last = Promise.resolve()
  let visible = notes
  const note = (name: string, outcome: CommandOutcome) => {
    const time = new Date(endpoint.now()).toISOString().slice(0, 19)
    visible = [`${time}Z \`${name}\` ${inWords(outcome)}`, ...visible].slice(0, MAX_LINES)
    endpoint.show(visible)
  }
  const run = async (command: ReadCommand) => {
    const outcome = await outcomeOf(endpoint, command)
    note(command.name, outcome)
    if ('revoked' in outcome) endpoint.abortRequests()
    endpoint.wake()
  }
  for (const name of endpointCommandNames) {
    let given = 0
    onSignal({ name, about: commands[name] }, (input) =>
      CancellationScope.nonCancellable(async () => {
        endpoint.wake()
        const fault = unreadable(input, 'Its input')
        const before = last
        given += 1
        const command = { name, ...(fault ? { fault } : withId(input, given)) }
        last = before.then(() => run(command))
        await last
      }),
    )
  }
  // Comes last, because it is called immediately for signals whose handler is not yet registered.
  setDefaultSignalHandler((name) =>
    note(name.slice(0, MAX_NAME_CHARS), { ignored: 'there is no such signal' }),
  )
}

/**
 * Gives a command an id, so that it is done once: the sender's, or that of the run and its place
 * among the run's signals of this name. Retries of the activity keep it, and so does a reset: its
 * run began as the earlier one, and handles signals of one name in their order.
 */
function withId(input: unknown, nth: number): { id: string; input: unknown } {
  const id = typeof input === 'object' && input !== null && 'id' in input ? input.id : undefined
  const { continuedFromExecutionRunId, firstExecutionRunId } = workflowInfo()
  const begun = continuedFromExecutionRunId ?? firstExecutionRunId
  return { id: typeof id === 'string' ? id : `${begun} ${nth}`, input }
}

async function outcomeOf({ start, now }: Endpoint, command: ReadCommand): Promise<CommandOutcome> {
  if ('fault' in command) return { ignored: command.fault }
  const { runCommand } = proxyActivities<WebhookActivities>({
    taskQueue: WEBHOOKS_QUEUE,
    startToCloseTimeout: '2m',
    heartbeatTimeout: '10s',
    // A longer wait would prevent the run from continuing as new.
    scheduleToCloseTimeout: '1h',
    retry: { initialInterval: '1s', maximumInterval: '30s' },
    summary: `${command.name} ${command.id}`.slice(0, MAX_CHARS),
  })
  try {
    return await runCommand(start, command, now())
  } catch {
    return { ignored: 'it failed on our side; see the log of the workers, and send it again' }
  }
}

const inWords = (outcome: CommandOutcome) =>
  'done' in outcome ? outcome.done : `ignored: ${outcome.ignored.slice(0, MAX_CHARS)}`
