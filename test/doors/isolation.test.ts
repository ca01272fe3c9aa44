import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../../src/network.ts'
import { marksOf, type Owner, openOwner, rowsOf } from '../support/belongings.ts'
import { everyDoorTo } from '../support/every-door.ts'
import { fieldsWithIds, inputOf, named, type Trial, trials } from '../support/id-trials.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

test('every operation that takes an id has a trial with another account’s id', () => {
  const taking = catalogue.map((one) => [one.a2a, fieldsWithIds(one)] as const)
  const said = Object.entries(named).map(([intent, fields]) => [intent, Object.keys(fields).sort()])
  expect(Object.fromEntries(said)).toEqual(
    Object.fromEntries(taking.filter(([, fields]) => fields.length > 0)),
  )
})

let doors: Doors
let first: Owner
let second: Owner
let marks: Set<string>
let before: Awaited<ReturnType<typeof rowsOf>>

beforeAll(async () => {
  doors = await openDoors({ PAYMENTS: 'local' })
  first = await openOwner(doors, 3)
  second = await openOwner(doors)
  marks = await marksOf(doors, first)
  before = await rowsOf(doors, first)
})
afterAll(() => doors?.close())

/** The second account's answer contains nothing of the first that the second did not send. */
function expectNothingOfTheFirst(answered: unknown, sent: unknown) {
  const [text, known] = [answered, sent].map((one) =>
    typeof one === 'string' ? one : JSON.stringify(one ?? null),
  )
  const told = [...marks].filter((mark) => text?.includes(mark) && !known?.includes(mark))
  expect(told).toEqual([])
}

describe.each(trials)('$capability.a2a with $field of another account', (trial) => {
  test.each(everyDoorTo(trial.capability.a2a))('is not found at %s', async (door, send) => {
    const input = inputOf(trial, second, first)
    const said = await send(doors, second.key, input)
    expect(said.code).toMatch(
      trial.isInPath ? /_not_found$/ : /^ok$|_not_found$|^no_staged_secret$/,
    )
    if (trial.isInPath && door === 'REST') expect(said.status).toBe(404)
    expectNothingOfTheFirst(said.body, input)
  })
})

/** The second account's log repeats the addresses that it tried. */
const withoutPaths = (body: any) =>
  body.requests
    ? { ...body, requests: body.requests.map(({ path: _, ...call }: any) => call) }
    : body

const others = catalogue.filter(({ rest }) => !rest.route.includes('{'))

describe.each(others)('$a2a', ({ a2a, example }) => {
  test.each(everyDoorTo(a2a))('shows nothing of another account at %s', async (_, send) => {
    const said = await send(doors, second.key, example)
    expect(said.code).not.toBe('internal_error')
    expectNothingOfTheFirst(withoutPaths(said.body), example)
  })
})

test('operations without ids show only the account’s own fees, plan and usage', async () => {
  const { key } = await doors.openAccount('pro')
  const asked = async (intent: string) => {
    const [, [, send] = []] = everyDoorTo(intent)
    return (await send?.(doors, key, {}))?.body
  }
  expect(await asked('fee.list')).toMatchObject({ entries: [], totals: [] })
  expect(await asked('plan.get')).toMatchObject({ changes: [], invoices: [] })
  expect(await asked('event.list')).toMatchObject({ events: [], last_number: 0 })
  const use = await asked('usage.get')
  expect(JSON.stringify(use)).toContain('"bookings":0')
})

test('the same idempotency key in two accounts is two keys', async () => {
  const [, [, send] = []] = everyDoorTo('key.create')
  const input = { name: 'till', idempotency_key: 'the-same' }
  const answers = [await send?.(doors, second.key, input)]
  const third = await doors.openAccount('pro')
  await doors.db.query(`update api_key set scopes = '{keys}' where id = $1`, [third.keyId])
  answers.push(await send?.(doors, third.key, input))
  expect(answers.map((said) => said?.code)).toEqual(['ok', 'ok'])
  const [one, other] = answers.map((said) => said?.body)
  expect(other.replayed).toBeUndefined()
  expect(other.key.id).not.toBe(one.key.id)
})

test('afterwards the first account is unchanged, and no workflow of it was called', async () => {
  expect(await rowsOf(doors, first)).toEqual(before)
  const { signals, commands, told } = doors.engine
  const starts = [...signals, ...commands].map(({ start }) => JSON.stringify(start))
  expect([...starts, ...told.map((start) => JSON.stringify(start))].join()).not.toContain(
    first.accountId,
  )
})

test('the first account can read every one of these objects', async () => {
  const deletesLast = (a: Trial, b: Trial) =>
    Number(a.capability.rest.route.startsWith('DELETE')) -
    Number(b.capability.rest.route.startsWith('DELETE'))
  const lost: string[] = []
  for (const trial of [...trials].sort(deletesLast)) {
    const [, [, send] = []] = everyDoorTo(trial.capability.a2a)
    const said = await send?.(doors, first.key, inputOf(trial, first, first))
    if (!said || /_not_found$|^invalid_request$|^internal_error$/.test(said.code)) {
      lost.push(`${trial.capability.a2a} ${trial.field}: ${said?.code} ${said?.message}`)
    }
  }
  expect(lost).toEqual([])
})
