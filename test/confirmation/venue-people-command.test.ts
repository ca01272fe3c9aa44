import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkTable } from '../../src/commands/venue-links.ts'
import { changeMode, contactVenue, linkVenue } from '../../src/commands/venue-people.ts'
import { readConfig } from '../../src/config/config.ts'
import { venueLinkId } from '../../src/confirmation/rules/venue-link.ts'
import { upsertConnector } from '../../src/confirmation/store/connectors.ts'
import { insertLink, revokeLink } from '../../src/confirmation/store/venue-links.ts'
import { secretsKeys } from '../../src/local/key-files.ts'
import { channelContext } from '../../src/notices/store/channels.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey } from '../../src/platform/sealing/sealing-keys.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { makeScratchFolder } from '../support/scratch-folder.ts'

const slug = 'senja-table-ubud'
const config = readConfig({ SECRETS_KEY: newSealingKey(), PUBLIC_URL: 'https://network.example' })
let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 2, () => {})
})

afterAll(async () => {
  await db?.end()
  await database?.drop()
})

const lastLine = (printed: string) => printed.split('\n').at(-1) ?? ''
const at = new Date('2026-12-20T08:00:00Z')

test('a link to the page of a venue is printed, valid for the requested time', async () => {
  const asked = { slug, days: 7, endsOthers: false } as const
  const [, token = ''] =
    /^https:\/\/network.example\/venue\/(\S+)$/.exec(
      lastLine(await linkVenue(db, config, asked, at)),
    ) ?? []
  const id = venueLinkId(createSealer(secretsKeys(config)), token)
  const { rows } = await db.query(
    `select slug, l.created_at, l.expires_at from venue_link l join venue v on v.id = l.venue_id
     where l.id = $1`,
    [id],
  )
  expect(rows).toEqual([{ slug, created_at: at, expires_at: new Date('2026-12-27T08:00:00Z') }])
})

test('links are listed by id, with those of notices, until a month after their end', async () => {
  const days = (count: number) => new Date(at.getTime() + count * 86_400_000)
  const { rows } = await db.query('select id from venue where slug = $1', [slug])
  const venueId = rows[0].id
  const ids = { old: randomUUID(), ended: randomUUID(), alone: randomUUID() }
  const add = (id: string, when: Date) =>
    insertLink(db, { id, venueId, bookingId: null, days: 1, at: when })
  await add(ids.old, days(-40))
  await add(ids.ended, days(-1))
  await add(ids.alone, at)
  await revokeLink(db, ids.alone, at)
  const lines = (await linkTable(db, slug, at)).split('\n')
  const lineOf = (id: string) => lines.find((line) => line.startsWith(id))
  expect(lineOf(ids.old)).toBeUndefined()
  expect(lineOf(ids.ended)).toMatch(/expired +an operator/)
  expect(lineOf(ids.alone)).toContain('revoked')
  expect(lines.filter((line) => line.includes('valid'))).toHaveLength(1)
})

test('the notification address is stored with a sealed secret, and can be removed', async () => {
  const url = 'https://hooks.example/senja'
  const secret = lastLine(await contactVenue(db, config, { slug, url }))
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const channels = async () => {
    const text = `select id, kind, address from notice_channel where ended_at is null`
    return (await db.query(text)).rows
  }
  const [channel] = await channels()
  expect(channel).toMatchObject({ kind: 'post', address: expect.not.stringContaining('hooks') })
  const sealer = createSealer(secretsKeys(config))
  const opened = sealer.open(channel.address, channelContext(channel.id))
  expect(JSON.parse(opened)).toEqual({ url, secret })
  await contactVenue(db, config, { slug, url })
  expect(await channels()).toHaveLength(1)
  await contactVenue(db, config, { slug, url: undefined })
  expect(await channels()).toEqual([])
  const bad = { slug, url: 'https://a:b@hooks.example/' } as const
  await expect(contactVenue(db, config, bad)).rejects.toThrow('not acceptable')
})

test('an operator sets who confirms, except at a connected venue', async () => {
  const asked = { slug, mode: 'request' } as const
  expect(await changeMode(db, asked)).toContain('A person at')
  const mode = async () => {
    const { rows } = await db.query('select id, confirm_mode from venue where slug = $1', [slug])
    return rows[0]
  }
  const { id: venueId, confirm_mode } = await mode()
  expect(confirm_mode).toBe('request')
  await upsertConnector(db, { venueId, url: 'https://booking.example/', secret: 'x' }, at)
  await expect(changeMode(db, asked)).rejects.toThrow('disconnect it first')
  expect(await mode()).toMatchObject({ confirm_mode: 'http' })
})

test('without PUBLIC_URL, a link leads to the service that runs on the data folder', async () => {
  const DATA_DIR = makeScratchFolder('link-')
  const { PUBLIC_URL: _, ...local } = config
  const asked = { slug, days: 7, endsOthers: false } as const
  const printed = () => linkVenue(db, { ...local, DATA_DIR }, asked, at)
  expect(await printed()).toContain('PUBLIC_URL is not set')
  const state = { databaseUrl: database.url, publicUrl: 'http://127.0.0.1:3400' }
  writeFileSync(join(DATA_DIR, 'state.json'), JSON.stringify(state))
  expect(lastLine(await printed())).toMatch(/^http:\/\/127.0.0.1:3400\/venue\//)
})
