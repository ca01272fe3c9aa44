import { expect } from 'vitest'
import type { Trouble } from '../../src/webhooks/rules/batch-messages.ts'
import { collectNames } from '../../workflows/webhooks/webhook-names.ts'
import { putEvents } from '../support/endpoints.ts'
import { detailsOf } from '../support/histories.ts'
import type { Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { answers, openReceiver } from '../support/receiver.ts'
import { openSender } from '../support/sender.ts'
import { test } from '../support/service.ts'

/**
 * An endpoint's batches by name, and whether each name is true: an event counts as news only once,
 * and a named retry is really sent.
 */
async function batchesOf({ client }: Service, workflowId: string) {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory()
  const announced = new Set<string>()
  return (events ?? []).flatMap(({ activityTaskCompletedEventAttributes: done }) => {
    const scheduled = events?.find(
      ({ eventId }) => String(eventId) === String(done?.scheduledEventId),
    )
    const { activityType } = scheduled?.activityTaskScheduledEventAttributes ?? {}
    if (activityType?.name !== 'sendDue') return []
    const name = JSON.parse(String(scheduled?.userMetadata?.summary?.data)) as string
    const report = JSON.parse(String(done?.result?.payloads?.[0]?.data))
    const named = name.match(/[a-z_.]+ #\d+/g) ?? []
    const sent = report.sent.map(({ event }: { event: string }) => event)
    const isNews = name.startsWith('news of')
    const isTrue = named.every((one) => (isNews ? !announced.has(one) : sent.includes(one)))
    if (isNews) for (const one of named) announced.add(one)
    return [{ name, isTrue }]
  })
}

test('a batch is named after events, each only once, and after attempts known to be due', () => {
  const names = collectNames()
  const at = Date.now()
  const trouble = { event: 'fee.accrued #1', nextAt: at } as Trouble
  expect(names.take([trouble], at)).toBe('send what is due')
  expect(names.take([trouble], at)).toBe('retry fee.accrued #1')
  expect(names.take([trouble], at - 1)).toBe('send what is due')
  names.add({ events: ['booking.held #2'], more: 3, at })
  expect(names.take([trouble], at)).toBe('news of booking.held #2 and 3 more')
  names.add({ events: ['booking.held #2'], more: 0, at: at - 60_000 })
  names.distrust()
  expect(names.take([trouble], at)).toBe('send what is due')
})

test(`a batch is named after what it sends,
      also after a discard, a replay, a failure and a reset`, async ({ service }) => {
  const sender = openSender(service)
  const receiver = await openReceiver()
  const endpoint = await sender.make({ url: receiver.url })
  const workflowId = `webhook/${endpoint.endpointId}`
  const handle = sender.handle(endpoint)
  const signal = (name: string, input: object = {}) => handle.signal(name, { by: 'Ayu', ...input })
  const put = async (count: number, wanted: Record<string, number>) => {
    await putEvents(service.db, endpoint.accountId, count)
    await sender.until(endpoint, wanted)
  }
  const untilShown = (text: string | RegExp) =>
    eventually(`"${text}" in the details`, async () =>
      Boolean((await detailsOf(service.client, workflowId)).match(text)),
    )
  await put(1, { delivered: 1 })
  await put(1, { delivered: 2 })
  await signal('pause')
  await untilShown('An operator has paused it')
  await put(3, { delivered: 2, pending: 3 })
  await signal('resume', { held: 'discard' })
  await untilShown(/`resume` discarded 3/)
  await put(2, { delivered: 4, discarded: 3 })
  await signal('replay', { from_number: 1 })
  await untilShown(/`replay` replay/)
  await put(1, { delivered: 8 })
  receiver.answer = answers(500, {}, 'no')
  await putEvents(service.db, endpoint.accountId, 2)
  await untilShown('HTTP 500')
  receiver.answer = answers(204)
  await sender.until(endpoint, { delivered: 10 })
  await put(1, { delivered: 11 })
  await untilShown('Everything is delivered.')
  const before = await batchesOf(service, workflowId)
  expect(before.filter(({ isTrue }) => !isTrue)).toEqual([])
  expect(before.some(({ name }) => name.startsWith('news of venue.'))).toBe(true)

  // A reset brings back the signals for events sent long ago.
  await eventually('the last signal to be old', async () => {
    const { events } = await handle.fetchHistory()
    const at = Number(events?.at(-1)?.eventTime?.seconds ?? 0) * 1000
    return Date.now() - at > 3_000
  })
  await service.client.workflowService.resetWorkflowExecution({
    namespace: service.config.TEMPORAL_NAMESPACE,
    workflowExecution: { workflowId },
    workflowTaskFinishEventId:
      (await handle.fetchHistory()).events?.find(
        (event) => event.workflowTaskCompletedEventAttributes,
      )?.eventId ?? null,
    reason: 'test',
    requestId: workflowId,
  })
  await untilShown(/`replay` done already/)
  await put(1, { delivered: 12 })
  expect((await batchesOf(service, workflowId)).filter(({ isTrue }) => !isTrue)).toEqual([])
  await receiver.close()
})
