import { type Client, ServiceError } from '@temporalio/client'
import { expect, test } from 'vitest'
import { createBookingEngine } from '../../src/bookings/engine.ts'
import { createRuns } from '../../src/platform/temporal/runs.ts'
import { createWebhookEngine } from '../../src/webhooks/engine.ts'

const RESOURCE_EXHAUSTED = 8
const FAILED_PRECONDITION = 9

/** A server that rejects updates with this gRPC code but accepts signals. */
function refusing(code: number) {
  const signals: string[] = []
  const cause = Object.assign(new Error('refused'), { code, details: 'refused', metadata: {} })
  const workflow = {
    executeUpdateWithStart: () =>
      Promise.reject(new ServiceError('Update-With-Start failed', { cause })),
  }
  const seen = { lastAccessTime: { seconds: Date.now() / 1000 }, identity: '1@worker' }
  const workflowService = {
    describeTaskQueue: async () => ({ pollers: [seen] }),
    signalWithStartWorkflowExecution: async ({ signalName }: { signalName: string }) => {
      signals.push(signalName)
      return { runId: 'r' }
    },
  }
  const run = (_: unknown, call: () => unknown) => call()
  const calls = { withDeadline: run, withAbortSignal: run }
  const connection = { workflowService, plugins: [], ...calls }
  const client = { workflow, workflowService, connection, options: {}, ...calls }
  return { signals, client: client as unknown as Client, stop: new AbortController().signal }
}

const start = {
  bookingId: 'b',
  accountId: 'a',
  venueId: 'v',
  venueSlug: 'v',
  venueName: 'V',
  slotTime: '2027-01-15T19:00:00',
  timezone: 'Asia/Makassar',
  startsAt: '2027-01-15T11:00:00Z',
  partySize: 2,
}

test.each([
  ['too many updates in flight', RESOURCE_EXHAUSTED],
  ['too many updates in the run', FAILED_PRECONDITION],
])('a command that the server refuses for %s is announced once, and pending', async (_, code) => {
  const { client, signals, stop } = refusing(code)
  const command = { id: 'c', kind: 'cancel', input: {} } as const
  expect(
    await createBookingEngine({ client, runs: createRuns(client), stopWaiting: stop }).command(
      start,
      command,
      0.5,
    ),
  ).toBe('pending')
  expect(signals).toEqual(['commandsSubmitted'])
})

test.each([RESOURCE_EXHAUSTED, FAILED_PRECONDITION])(
  'a retry of a delivery that the server refuses with %i is busy: it is stored nowhere',
  async (code) => {
    const { client, signals, stop } = refusing(code)
    const endpoint = { endpointId: 'e', accountId: 'a' }
    const answer = await createWebhookEngine({
      client,
      runs: createRuns(client),
      stopWaiting: stop,
    }).retryDelivery(endpoint, 'd', 1)
    expect(answer).toEqual({ refused: 'busy' })
    expect(signals).toEqual([])
  },
)
