import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import type { ChannelSender, SendResult } from '../../src/notices/rules/channel.ts'
import type { NoticeMessage } from '../../src/notices/rules/message.ts'
import type { NoticeStart, NoticeTry } from '../../src/notices/rules/notice-run.ts'
import { openNotices } from '../../src/notices/steps/open-notices.ts'
import { tryChannel } from '../../src/notices/steps/try-channel.ts'
import { openPool } from '../../src/platform/database/sql.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { addArena, arenaKinds } from '../../tools/proof/arena.ts'
import { openAccount, openWorld, request, type World } from '../../tools/proof/world.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { readableLog } from './lines.ts'
import { testVenues } from './no-test-venues.ts'
import { stepDeps } from './terms.ts'
import { addPerson } from './venue-channels.ts'

export const sealer = createSealer(parseSealingKeys(newSealingKey()) ?? [])
export const publicUrl = 'https://network.example'
export const whatsapp = { kind: 'whatsapp', address: '+6281234567' } as const
export const mail = { kind: 'mail', address: 'wayan@venue.example' } as const

type Sent = { message: NoticeMessage; address: string; kind: string }

/** A database with venues whose people are notified by senders that only note what they send. */
export function useNoticeDesk() {
  let database: TestDatabase
  const desk = {
    world: undefined as unknown as World,
    begun: [] as NoticeStart[],
    woken: [] as string[],
    sent: [] as Sent[],
    /** what the next calls of a sender return or throw */
    results: [] as (SendResult | Error | (() => Promise<SendResult>))[],
  }
  beforeAll(async () => {
    database = await createDatabase()
    desk.world = await openWorld(openPool(database.url, 5, () => {}))
  })
  afterAll(async () => {
    await desk.world?.db.end()
    await database?.drop()
  })
  beforeEach(() => Object.assign(desk, { begun: [], woken: [], sent: [], results: [] }))
  const engine = {
    beginNotice: async (start: NoticeStart) => desk.begun.push(start) > 0,
    wakeNotice: async ({ noticeId }: NoticeStart) => void desk.woken.push(noticeId),
  }
  const sender =
    (kind: string): ChannelSender =>
    async (message, address) => {
      desk.sent.push({ message, address, kind })
      const result = desk.results.shift() ?? { status: 'sent' }
      if (result instanceof Error) throw result
      return typeof result === 'function' ? result() : result
    }

  /** A booking that waits for the people of a new venue, and how to notify them. */
  async function asked(...channels: Parameters<typeof addPerson>[3][]) {
    const kind = arenaKinds.find(({ name }) => name === 'venue with staff') ?? arenaKinds[0]
    const arena = await addArena(desk.world.db, kind)
    const person = await addPerson(desk.world.db, sealer, arena.id, ...channels)
    const input = { slotTime: arena.slotTimes[0] ?? '', partySize: 2 }
    const start = await request(desk.world.db, arena, {
      ...input,
      accountId: await openAccount(desk.world.db),
    })
    await decideBooking(desk.world.db, start, stepDeps, new Date())
    await open(start)
    return { ...person, start, venueId: arena.id, noticeId: desk.begun[0]?.noticeId ?? '' }
  }

  const open = (start: BookingStart) => {
    const { log } = readableLog()
    return openNotices({ db: desk.world.db, log, engine, testVenues }, start)
  }

  const step = (noticeId: string, input: NoticeTry = { tries: 0 }, at = new Date()) => {
    const senders = { whatsapp: sender('whatsapp'), mail: sender('mail') }
    const { log } = readableLog()
    const deps = { db: desk.world.db, sealer, publicUrl, log, senders, countAttempt: () => {} }
    return tryChannel(deps, noticeId, input, at, new AbortController().signal)
  }

  const attemptsOf = async (noticeId: string) =>
    (
      await desk.world.db.query(
        'select id, status, failure from notice_attempt where notice_id = $1 order by started_at',
        [noticeId],
      )
    ).rows

  const timelineOf = async ({ bookingId }: BookingStart) => {
    const text = 'select what from timeline_entry where booking_id = $1 order by number'
    return (await desk.world.db.query(text, [bookingId])).rows.map(({ what }) => what)
  }
  return { desk, engine, asked, open, step, attemptsOf, timelineOf }
}
