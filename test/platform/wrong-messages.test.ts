import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import * as workflows from '../../workflows/index.ts'
import { openMessages } from '../support/messages.ts'
import type { Service } from '../support/network.ts'
import { daily } from '../support/nightly.ts'
import { book, openers } from '../support/open-workflows.ts'
import { eventually } from '../support/programs.ts'
import { test } from '../support/service.ts'
import { openTemporalCommand } from '../support/temporal-command.ts'
import { type Input, wrongInputs } from '../support/wrong-messages.ts'

// More at once would only lengthen a run's tasks, each of which has two seconds.
const CONCURRENCY = 2
const SLOW_MS = 600_000

type Handler = { name: string; description?: string }
type Handlers = Record<'signals' | 'updates' | 'queries', Handler[]>

/** The handlers that a run reports to the Temporal UI, without those the SDK adds. */
async function handlersOf({ client }: Service, workflowId: string): Promise<Handlers> {
  const handle = client.workflow.getHandle(workflowId)
  // A busy worker might take a query too late.
  const { definition } = await eventually('what it handles', () =>
    handle.query<any>('__temporal_workflow_metadata').catch(() => undefined),
  )
  const ours = (all: Handler[] = []) => all.filter(({ name }) => !name.startsWith('__'))
  return {
    signals: ours(definition.signalDefinitions),
    updates: ours(definition.updateDefinitions),
    queries: ours(definition.queryDefinitions),
  }
}

/** Sends every wrong input to each handler; returns those that updates accepted. */
async function sendWrong(service: Service, workflowId: string, handlers: Handlers) {
  const { signal, query, accept } = openMessages(service)
  const accepted: string[] = []
  const eachInput = (handlers: Handler[], send: (name: string, input: Input[]) => unknown) =>
    handlers.flatMap(({ name }) =>
      wrongInputs(randomUUID()).map((input) => async () => send(name, input)),
    )
  const asking = eachInput(handlers.queries, (name, input) => query(workflowId, name, input))
  const work = [
    ...eachInput(handlers.signals, (name, input) => signal(workflowId, name, input)),
    // The server keeps one of a run's queries waiting and rejects the next.
    async () => {
      for (const ask of asking) await ask()
    },
    ...eachInput(handlers.updates, async (name, input) => {
      const isAccepted = await accept(workflowId, name, input)
      if (isAccepted) accepted.push(`${name} ${JSON.stringify(input).slice(0, 80)}`)
    }),
  ]
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let next = work.pop(); next; next = work.pop()) await next()
    }),
  )
  return accepted
}

/**
 * Whether the run continues without a failed task. A task may have timed out: each has two seconds,
 * which a busy machine can exceed.
 */
async function expectHealthy({ client }: Service, workflowId: string) {
  const handle = client.workflow.getHandle(workflowId)
  const { status, raw } = await handle.describe()
  expect(status.name).toBe('RUNNING')
  expect(raw.pendingActivities?.filter(({ attempt }) => Number(attempt) > 1) ?? []).toEqual([])
  const { events } = await handle.fetchHistory()
  expect(events?.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([])
}

const types = new Set<keyof typeof workflows>(['booking', 'webhookDelivery', 'itinerary'])
for (const type of Object.keys(workflows)) types.add(type as keyof typeof workflows)

test.for(daily([...types], 3))(
  '%s describes its handlers, refuses wrong messages, and continues',
  { timeout: SLOW_MS },
  async (type, { service }) => {
    const { workflowId, accepts, finish } = await openers[type](service, type)
    const handlers = await handlersOf(service, workflowId)
    const all = Object.values(handlers).flat()
    expect(all.filter(({ description }) => !description)).toEqual([])
    const accepted = await sendWrong(service, workflowId, handlers)
    expect(accepted.filter((one) => !accepts?.test(one))).toEqual([])
    if (all.length > 0) await expectHealthy(service, workflowId)
    expect(await handlersOf(service, workflowId)).toEqual(handlers)
    await finish()
  },
)

test(
  'a command of another booking, or of none, gets no answer, and waits only as long as it says',
  async ({ service }) => {
    const { agent, db } = service
    const [id, other] = [await book(service), await book(service)]
    await agent.post(`/api/bookings/${other}/cancel`, {})
    const { rows } = await db.query('select id from command where booking_id = $1', [other])
    const { update } = await openTemporalCommand(service)
    for (const commandId of [rows[0].id, randomUUID()]) {
      const command = JSON.stringify({ id: commandId, kind: 'cancel', input: {} })
      expect(await update(bookingWorkflowId(id), 'command', command, '100')).toContain('pending')
    }
    await expectHealthy(service, bookingWorkflowId(id))
    expect((await agent.get(`/api/bookings/${id}`)).body.booking.status).toBe('confirmed')
  },
  SLOW_MS,
)
