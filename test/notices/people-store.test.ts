import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { channelDigests } from '../../src/notices/rules/channel.ts'
import * as channels from '../../src/notices/store/channels.ts'
import * as people from '../../src/notices/store/people.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

const [newKey, oldKey] = [newSealingKey().replace(/^[^:]+/, 'k2'), newSealingKey()]
const sealer = createSealer(parseSealingKeys(`${newKey},${oldKey}`) ?? [])
const at = new Date('2026-12-20T08:00:00Z')
let database: TestDatabase
let db: Pool
let venueId: string

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 2, () => {})
  venueId = (await db.query('select id from venue limit 1')).rows[0].id
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})

async function addPerson(...addresses: string[]) {
  const person = {
    id: randomUUID(),
    venueId,
    name: 'Wayan',
    role: 'staff',
    language: null,
  } as const
  await people.insertPerson(db, { ...person, at })
  for (const number of addresses) {
    const id = randomUUID()
    const [digest = Buffer.of()] = channelDigests(sealer, 'whatsapp', number)
    const address = sealer.seal(number, channels.channelContext(id))
    const channel = { id, personId: person.id, kind: 'whatsapp', address, digest } as const
    await channels.insertChannel(db, { ...channel, optedInBy: 'operator', at })
  }
  return person
}

const digestsOf = (number: string) => channelDigests(sealer, 'whatsapp', number)
const numbersOf = async (personId: string) =>
  (await channels.selectChannels(db, personId)).map(({ id, address }) =>
    sealer.open(address, channels.channelContext(id)),
  )

test('channels keep their order, are found by their address, and end once', async () => {
  const { id } = await addPerson('+628123', '+628124')
  expect(await numbersOf(id)).toEqual(['+628123', '+628124'])
  const [first] = await channels.selectChannelsByDigest(db, digestsOf('+628123'))
  expect(first).toMatchObject({ person_id: id, position: 1 })
  expect(await channels.endChannel(db, first?.id ?? '', 'stopped', at)).toBe(1)
  expect(await channels.endChannel(db, first?.id ?? '', 'gone', at)).toBe(0)
  expect(await channels.selectChannelsByDigest(db, digestsOf('+628123'))).toEqual([])
  expect(await numbersOf(id)).toEqual(['+628124'])
})

test('STOP is remembered under every key', async () => {
  const [, older = Buffer.of()] = digestsOf('+62999')
  await channels.insertOptOut(db, older, at)
  await channels.insertOptOut(db, older, at)
  expect(await channels.isOptedOut(db, digestsOf('+62999'))).toBe(true)
  expect(await channels.isOptedOut(db, digestsOf('+62998'))).toBe(false)
})

test('a person who is removed has no channels any longer', async () => {
  const { id } = await addPerson('+628125')
  expect(await people.selectPeople(db, venueId)).toContainEqual(expect.objectContaining({ id }))
  expect(await people.removePerson(db, id, at)).toBe(1)
  expect(await people.removePerson(db, id, new Date())).toBe(0)
  expect(await people.selectOptionalPerson(db, id)).toMatchObject({ removed_at: at })
  expect((await people.selectPeople(db, venueId)).map((one) => one.id)).not.toContain(id)
  expect(await numbersOf(id)).toEqual([])
})
