import { afterAll, expect, test } from 'vitest'
import { openTracing } from '../../src/platform/telemetry/open-telemetry.ts'

const tracing = openTracing({
  endpoint: 'http://127.0.0.1:9',
  serviceName: 'test',
  share: 1,
  trustCallers: false,
})
afterAll(() => tracing.stop())

const callersTrace = 'a'.repeat(32)
const traceparent = `00-${callersTrace}-${'b'.repeat(16)}-01`

test('an untrusted caller gets a new trace for every call', async () => {
  const ids = async () => tracing.ids().trace_id
  const first = await tracing.call('first', traceparent, ids)
  const second = await tracing.call('second', traceparent, ids)
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(first).not.toBe(callersTrace)
  expect(second).not.toBe(first)
  expect(tracing.ids()).toEqual({})
})

test('an error passes through a span unchanged', async () => {
  const error = new Error('gone')
  const failing = () => Promise.reject(error)
  const call = tracing.call('call', undefined, () => tracing.span('sql select', {}, failing))
  await expect(call).rejects.toBe(error)
})
