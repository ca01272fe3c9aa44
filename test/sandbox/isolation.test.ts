import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../../src/network.ts'
import { marksOf, type Owner, openOwner, openSandboxOwner, rowsOf } from '../support/belongings.ts'
import { everyDoorTo } from '../support/every-door.ts'
import { inputOf, trials } from '../support/id-trials.ts'
import { daily } from '../support/nightly.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
let live: Owner
let sandbox: Owner
const marks = new Map<Owner, Set<string>>()
const before = new Map<Owner, Awaited<ReturnType<typeof rowsOf>>>()

beforeAll(async () => {
  doors = await openDoors()
  live = await openOwner(doors)
  sandbox = await openSandboxOwner(doors, live.accountId)
  for (const one of [live, sandbox]) {
    marks.set(one, await marksOf(doors, one))
    before.set(one, await rowsOf(doors, one))
  }
})
afterAll(() => doors?.close())

const REFUSED = /_not_found$|^ok$|^no_staged_secret$|^live_key_required$|^payments_off$/
type OneTrial = (typeof trials)[number]
/** A live key manages the keys of its sandbox. */
const isOfKeys = ({ capability }: OneTrial) => capability.a2a.startsWith('key.')
/** Test clocks belong to the live account, and keys of either mode can move them. */
const isOfClocks = ({ capability }: OneTrial) => capability.a2a.startsWith('clock.')
const apart = trials.filter((one) => !isOfClocks(one))

/** What an answer reveals about the other mode, apart from what was sent. */
function toldOf(other: Owner, answered: unknown, sent: unknown): string[] {
  const [text, known] = [answered, sent].map((one) => JSON.stringify(one ?? null))
  return [...(marks.get(other) ?? [])].filter(
    (mark) => text?.includes(mark) && !known?.includes(mark),
  )
}

describe.each([
  ['live key and test', () => [live, sandbox], apart.filter((one) => !isOfKeys(one))],
  ['test key and live', () => [sandbox, live], apart],
] as const)('with a %s ids', (_, sides, tried) => {
  test.each(tried)('$capability.a2a finds nothing by $field', async (trial) => {
    const [mine, theirs] = sides() as [Owner, Owner]
    for (const [door, send] of daily(everyDoorTo(trial.capability.a2a))) {
      const input = inputOf(trial, mine, theirs)
      const said = await send(doors, mine.key, input)
      expect([door, said.code]).toEqual([door, expect.stringMatching(REFUSED)])
      if (trial.isInPath) expect(said.code).not.toBe('ok')
      expect(toldOf(theirs, said.body, input)).toEqual([])
    }
  })
})

const withoutPaths = (body: any) =>
  body.requests
    ? { ...body, requests: body.requests.map(({ path: _, ...call }: any) => call) }
    : body

const others = catalogue.filter(({ rest }) => !rest.route.includes('{'))

test.each(others)('$a2a of either mode shows nothing of the other', async ({ a2a, example }) => {
  for (const [mine, theirs] of [
    [live, sandbox],
    [sandbox, live],
  ] as const) {
    for (const [, send] of daily(everyDoorTo(a2a))) {
      const said = await send(doors, mine.key, example)
      expect(said.code).not.toBe('internal_error')
      if (a2a === 'clock.list' || (mine === live && a2a === 'key.list')) continue
      expect(toldOf(theirs, withoutPaths(said.body), example)).toEqual([])
    }
  }
})

test('public lists, the sitemap and the feed have no test venue', async () => {
  for (const path of [
    '/venues',
    '/sitemap.xml',
    '/',
    '/llms.txt',
    '/status',
    '/api/agents/public',
  ]) {
    const text = await (await fetch(doors.url + path)).text()
    expect([path, /sandbox-(?:table|bar|spa)/.test(text)]).toEqual([path, false])
  }
  expect((await fetch(`${doors.url}/venues/sandbox-table`)).status).toBe(404)
})

test('bookings, holds and changes on either side are unchanged', async () => {
  const tables = ['booking by account_id', 'endpoint by account_id', 'watch by account_id']
  for (const one of [live, sandbox]) {
    const now = await rowsOf(doors, one)
    for (const table of tables) {
      for (const row of before.get(one)?.[table] ?? []) expect(now[table]).toContain(row)
    }
  }
})
