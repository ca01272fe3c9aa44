import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import type { Payload, PayloadCodec } from '@temporalio/common'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { announce, lateAnnouncement } from '../../src/platform/temporal/announce.ts'
import { dataConverter } from '../../src/platform/temporal/data-converter.ts'
import { findSlot } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'

const ENCODING = 'binary/reversed'
const SDK_NOTES = new Set([
  ...['seq', 'attempt', 'activity_id', 'activity_type'],
  ...['complete_time', 'backoff', 'original_schedule_time'],
])

/** A codec that acts like encryption: what passes it is unreadable to anyone else. */
const codec: PayloadCodec = {
  encode: async (payloads) =>
    payloads.map((payload) => ({
      metadata: { encoding: Buffer.from(ENCODING), inner: payload.metadata?.encoding ?? null },
      data: Buffer.from(payload.data ?? []).reverse(),
    })) as Payload[],
  decode: async (payloads) =>
    payloads.map((payload) => {
      if (encodingOf(payload) !== ENCODING) throw new Error('a payload went past the codec')
      const inner = payload.metadata?.inner as Uint8Array
      return { metadata: { encoding: inner }, data: Buffer.from(payload.data ?? []).reverse() }
    }),
}

const encodingOf = ({ metadata }: Payload) => Buffer.from(metadata?.encoding ?? []).toString()

let service: Service
beforeAll(async () => {
  dataConverter.payloadCodecs = [codec]
  service = await openService()
})
afterAll(async () => {
  await service?.close()
  delete dataConverter.payloadCodecs
})

/** Each payload within a value, with its path; search attributes are for the server to read. */
function payloadsIn(value: unknown, path = ''): [path: string, payload: Payload][] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
  const payload = value as Payload
  if (payload.metadata?.encoding) return [[path, payload]]
  return Object.entries(value)
    .filter(([name]) => name !== 'searchAttributes' && name !== 'header')
    .flatMap(([name, inner]) => payloadsIn(inner, `${path}/${name}`))
}

/** What Temporal stores about every workflow, in its stored form. */
async function recordsOf({ connection, workflow, options: { namespace } }: Client) {
  const { workflowService } = connection
  const records: unknown[] = []
  for await (const { workflowId, runId } of workflow.list()) {
    const at = { namespace, execution: { workflowId, runId } }
    const { history } = await workflowService.getWorkflowExecutionHistory(at)
    const { workflowExecutionInfo } = await workflowService.describeWorkflowExecution(at)
    records.push([history?.events, workflowExecutionInfo?.memo])
  }
  return records
}

test('a payload codec encodes everything written to Temporal, and decodes all of it', async () => {
  const { agent, client } = service
  const slot = await findSlot(agent, 'restaurant', 2)
  const key = { 'idempotency-key': randomUUID() }
  const booked = await agent.post('/api/bookings', slot, key)
  expect(booked.body.booking).toMatchObject({ status: 'confirmed' })
  const { id } = booked.body.booking
  const workflowId = bookingWorkflowId(id)
  await announce(client, {
    workflowType: 'booking',
    workflow: { workflowId, taskQueue: 'nobody', args: [] },
    signalName: 'clockAdvanced',
    signalArgs: [0],
    id: lateAnnouncement(new Date(Date.now() - 60_000), new Date()),
  })
  expect((await agent.patch(`/api/bookings/${id}`, { party_size: 1 })).status).toBe(200)
  expect((await agent.post(`/api/bookings/${id}/cancel`, {})).status).toBe(200)
  const payloads = await eventually('a signal in a history', async () => {
    const found = payloadsIn(await recordsOf(client))
    return found.some(([path]) => path.includes('workflowExecutionSignaled')) && found
  })
  expect(payloads.length).toBeGreaterThan(10)
  const plain = payloads.filter(([, payload]) => encodingOf(payload) !== ENCODING)
  // The SDK itself notes a local activity's name, number and times; its result is encoded.
  const ofOthers = plain.filter(([path]) => !path.includes('/markerRecordedEventAttributes/'))
  expect(ofOthers.map(([path]) => path)).toEqual([])
  const noted = plain.flatMap(([, { data }]) =>
    Object.keys(JSON.parse(Buffer.from(data ?? []).toString())),
  )
  expect(noted.filter((name) => !SDK_NOTES.has(name))).toEqual([])
})
