import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount } from '../../src/accounts/store/accounts.ts'
import { openPool, type Pool, transaction } from '../../src/platform/database/sql.ts'
import { createAwaitEvents } from '../../src/webhooks/store/await-events.ts'
import { insertAccountEvent } from '../../src/webhooks/store/events.ts'
import { selectLedgerPage } from '../../src/webhooks/store/ledger.ts'
import { createDatabase } from '../support/database.ts'
import { writeEvents, writeLedger } from '../support/deliveries.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 20, () => {})
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})

async function newAccount(): Promise<string> {
  const id = randomUUIDv7()
  await insertAccount(db, { id, name: 'test', tier: 'free', at: new Date() })
  return id
}

test('a fast reader beside concurrent writers sees every number once, in order', async () => {
  const accountId = await newAccount()
  const [writers, each] = [12, 60]
  let writing = writers
  const write = async (writer: number) => {
    for (let n = 0; n < each; n += 1) {
      const isUndone = n % 7 === writer % 7
      await transaction(db, async (tx) => {
        await insertAccountEvent(tx, {
          accountId,
          type: 'endpoint.disabled',
          data: { writer, n, isUndone } as never,
          at: new Date(),
        })
        // Transactions take different times to commit, and some roll back.
        if (n % 5 === 0) await tx.query('select pg_sleep(0.002)')
        if (isUndone) throw new Error('undone')
      }).catch((error: Error) => {
        if (error.message !== 'undone') throw error
      })
    }
    writing -= 1
  }
  const seen: number[] = []
  const told: unknown[] = []
  const read = async () => {
    let after = 0
    for (let isOver = false; !isOver; ) {
      const wasWriting = writing > 0
      const page = await selectLedgerPage(db, accountId, { after, types: null, limit: 7 })
      seen.push(...page.events.map(({ number }) => number))
      told.push(...page.events.map(({ data }) => data.isUndone))
      isOver = !wasWriting && page.next_after === page.last_number
      after = page.next_after
    }
  }
  await Promise.all([read(), ...Array.from({ length: writers }, (_, writer) => write(writer))])
  expect(seen).toEqual(Array.from({ length: seen.length }, (_, n) => n + 1))
  expect(new Set(told)).toEqual(new Set([false]))
  const { rows } = await db.query('select count(*) as n from event where account_id = $1', [
    accountId,
  ])
  expect(seen.length).toBe(rows[0].n)
  expect(seen.length).toBeGreaterThan(writers * each * 0.8)
})

test('a reader with a type filter skips other events, a bounded number at a time', async () => {
  const accountId = await newAccount()
  await writeLedger(db, accountId, 25_000)
  await db.query(
    `update event set type = 'fee.accrued' where account_id = $1 and number in (10, 24000)`,
    [accountId],
  )
  const read = (after: number) =>
    selectLedgerPage(db, accountId, { after, types: ['fee.accrued'], limit: 10 })
  const first = await read(0)
  expect(first).toMatchObject({ events: [{ number: 10 }], next_after: 20_000, last_number: 25_000 })
  const second = await read(first.next_after)
  expect(second).toMatchObject({ events: [{ number: 24_000 }], next_after: 25_000 })
  expect(await read(25_000)).toEqual({ events: [], next_after: 25_000, last_number: 25_000 })
  expect(await read(99_999)).toMatchObject({ events: [], next_after: 99_999 })
})

test('a wait ends with the next event of the account, the timeout or the shutdown', async () => {
  const [accountId, quiet] = [await newAccount(), await newAccount()]
  const stopping = new AbortController()
  const awaitEvents = createAwaitEvents(db, stopping.signal)
  const ended: string[] = []
  const waits = [
    awaitEvents(quiet, 0, 60_000).then((hasMore) => ended.push(`quiet ${hasMore}`)),
    awaitEvents(accountId, 1, 60_000).then((hasMore) => ended.push(`second ${hasMore}`)),
  ]
  const first = awaitEvents(accountId, 0, 60_000)
  const short = awaitEvents(quiet, 0, 1)
  await writeEvents(db, accountId, 1)
  expect(await first).toBe(true)
  expect(await short).toBe(false)
  expect(ended).toEqual([])
  await writeEvents(db, accountId, 1)
  await waits[1]
  expect(ended).toEqual(['second true'])
  stopping.abort()
  await waits[0]
  expect(ended).toEqual(['second true', 'quiet false'])
  expect(await awaitEvents(quiet, 0, 60_000)).toBe(false)
})
