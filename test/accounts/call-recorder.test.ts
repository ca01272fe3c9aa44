import { expect, test, vi } from 'vitest'
import { createCallRecorder } from '../../src/accounts/steps/call-recorder.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'

const call = (n: number, code = 'ok') => ({
  account_id: '0197a1f0-0000-7000-8000-000000000000',
  key_id: null,
  request_id: `request ${n}`,
  at: new Date(0),
  door: 'rest',
  operation: 'ping',
  code,
  ms: 1,
  from_agent: null,
})

const details = {
  method: 'GET',
  path: '/api/ping',
  target: '/api/ping',
  status: 200,
  message: null,
  subject_id: null,
}
const bodies = {
  ...{ sent: '{}', sent_bytes: 0, is_sent_cut: false },
  ...{ answer: '{}', answer_bytes: 2, is_answer_cut: false },
}
const described = (hasBodies: boolean) => (hasBodies ? { ...details, ...bodies } : details)

type Written = {
  request_id: string
  key_id: string | null
  calls: number
  path?: string
  sent?: string
}[]

function openRecorder(answer: () => Promise<unknown>) {
  vi.useFakeTimers()
  const written: Written[] = []
  const metrics = createMetrics()
  const db = {
    async query({ values }: { values: [string] }) {
      await answer()
      written.push(JSON.parse(values[0]))
      return { rowCount: 0 }
    },
  }
  const recorder = createCallRecorder(db as any, { metrics, log: createLog('silent') })
  const lost = async () => (await metrics.lostCalls.get()).values[0]?.value ?? 0
  return { recorder, written, lost, close: () => vi.useRealTimers() }
}

const second = () => vi.advanceTimersByTimeAsync(1_000)

test('one second’s calls are one statement, and no calls send nothing', async () => {
  const { recorder, written, close } = openRecorder(async () => {})
  await second()
  for (let n = 0; n < 3_000; n += 1) recorder.note(call(n))
  expect(written).toEqual([])
  await second()
  expect(written).toHaveLength(1)
  expect(written[0]).toHaveLength(3_000)
  await second()
  expect(written).toHaveLength(1)
  close()
})

test('rate-limit refusals are one entry per second, everything else an entry each', async () => {
  const { recorder, written, close } = openRecorder(async () => {})
  for (let n = 0; n < 5; n += 1) recorder.note(call(n, 'quota_exceeded'))
  for (let n = 5; n < 7; n += 1) recorder.note(call(n, 'venue_not_found'))
  await second()
  recorder.note(call(7, 'quota_exceeded'))
  await second()
  expect(written.map((calls) => calls.map(({ calls }) => calls))).toEqual([[5, 1, 1], [1]])
  close()
})

test('refusals of different keys or senders are separate entries', async () => {
  const { recorder, written, close } = openRecorder(async () => {})
  const refused = call(0, 'quota_exceeded')
  for (const key_id of ['one', 'two', 'one', 'two']) recorder.note({ ...refused, key_id })
  recorder.note({ ...refused, key_id: 'two', from_agent: 'agent://concierge' })
  await second()
  expect(written[0]?.map(({ key_id, calls }) => [key_id, calls])).toEqual([
    ['one', 2],
    ['two', 2],
    ['two', 1],
  ])
  close()
})

test('while the database is down the newest 10,000 are kept, and lost ones counted', async () => {
  let isAway = true
  const away = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  const { recorder, written, lost, close } = openRecorder(async () => {
    if (isAway) throw away
  })
  for (let n = 0; n < 6_000; n += 1) recorder.note(call(n))
  await second()
  for (let n = 6_000; n < 12_000; n += 1) recorder.note(call(n))
  await second()
  expect(await lost()).toBe(2_000)
  isAway = false
  await second()
  expect(written).toHaveLength(1)
  expect(written[0]).toHaveLength(10_000)
  expect(written[0]?.[0]?.request_id).toBe('request 2000')
  expect(await lost()).toBe(2_000)
  close()
})

test('merged refusals are all counted, whether written or lost', async () => {
  let answer = () => {}
  const { recorder, written, lost, close } = openRecorder(() => {
    const { promise, resolve } = Promise.withResolvers<void>()
    answer = resolve
    return promise
  })
  recorder.note(call(0))
  await second()
  // While the statement hangs, new calls wait, and the oldest of them are dropped.
  for (let n = 0; n < 5; n += 1) recorder.note(call(n, 'quota_exceeded'))
  for (let n = 0; n < 10_000; n += 1) recorder.note(call(n))
  expect(await lost()).toBe(5)
  for (let n = 0; n < 3; n += 1) recorder.note(call(n, 'quota_exceeded'))
  expect(await lost()).toBe(6)
  answer()
  await second()
  answer()
  await second()
  expect(written[1]?.at(-1)?.calls).toBe(3)
  expect(written.flat().reduce((sum, { calls }) => sum + calls, 0) + 6).toBe(10_009)
  close()
})

test.each(['40P01', '40001', '53100', '55P03', '57014'])(
  'calls are resent after a temporary error such as %s',
  async (code) => {
    const troubles = [Object.assign(new Error('not now'), { code })]
    const { recorder, written, lost, close } = openRecorder(async () => {
      const trouble = troubles.pop()
      if (trouble) throw trouble
    })
    recorder.note(call(1))
    await second()
    expect(written).toEqual([])
    await second()
    expect(written).toMatchObject([[{ request_id: 'request 1' }]])
    expect(await lost()).toBe(0)
    close()
  },
)

test('calls that the database rejects for good are not resent', async () => {
  const { recorder, written, lost, close } = openRecorder(async () => {
    throw Object.assign(new Error('no such column'), { code: '42703' })
  })
  recorder.note(call(1))
  await second()
  await second()
  expect(written).toEqual([])
  expect(await lost()).toBe(1)
  close()
})

test('stopping writes the remaining calls', async () => {
  const { recorder, written, close } = openRecorder(async () => {})
  recorder.note(call(1))
  await recorder.stop()
  expect(written).toMatchObject([[{ request_id: 'request 1' }]])
  close()
})

test('a call is described once its answer is sent, and before it is written', async () => {
  const { recorder, written, close } = openRecorder(async () => {})
  const describe = vi.fn(described)
  recorder.note(call(1), describe)
  expect(describe).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(0)
  expect(describe).toHaveBeenCalledOnce()
  recorder.note(call(2), describe)
  await recorder.stop()
  expect(written[0]).toMatchObject([{ path: '/api/ping', sent: '{}' }, { path: '/api/ping' }])
  expect(describe).toHaveBeenCalledTimes(2)
  close()
})

test('a call that cannot be described is recorded without a description', async () => {
  const { recorder, written, lost, close } = openRecorder(async () => {})
  recorder.note(call(1), () => {
    throw new Error('what a body')
  })
  await second()
  expect(written[0]).toMatchObject([{ request_id: 'request 1' }])
  expect(await lost()).toBe(0)
  close()
})

test('of a flood, the first calls’ bodies are kept, with room left for refusals', async () => {
  const { recorder, written, close } = openRecorder(async () => {})
  const flood = () => {
    for (let n = 0; n < 300; n += 1) {
      for (const account_id of ['one', 'two', 'three', 'four', 'five', 'six']) {
        recorder.note({ ...call(n), account_id }, described)
      }
    }
    recorder.note(call(1_000, 'venue_not_found'), described)
  }
  for (const _ of [1, 2]) {
    flood()
    await second()
  }
  for (const calls of written) {
    expect(calls).toHaveLength(1_801)
    expect(calls.every(({ path }) => path === '/api/ping')).toBe(true)
    expect(calls.filter(({ sent }) => sent)).toHaveLength(101)
    expect(calls.at(-1)?.sent).toBe('{}')
  }
  close()
})

test('while the database is down only the newest calls keep their bodies', async () => {
  let isAway = true
  const away = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  const { recorder, written, close } = openRecorder(async () => {
    if (isAway) throw away
  })
  for (let n = 0; n < 80; n += 1) {
    for (let account = 0; account < 10; account += 1) {
      recorder.note({ ...call(n), account_id: `account ${account}` }, described)
    }
    await second()
  }
  isAway = false
  await second()
  const kept = written[0]?.map(({ sent }) => sent !== undefined) ?? []
  expect(kept).toHaveLength(800)
  expect(kept.lastIndexOf(false)).toBe(299)
  close()
})
