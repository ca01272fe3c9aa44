import type { DepositRule } from '../../src/availability/rules/deposit.ts'
import { DAY_MS } from '../../src/base/durations.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { upsertGuest } from '../../src/bookings/store/guests.ts'
import { mailGuest } from '../../src/guests/steps/mail-guest.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import type { Mail } from '../../src/platform/mail/send-mail.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { addArena, arenaKinds } from '../../tools/proof/arena.ts'
import { openAccount, request } from '../../tools/proof/world.ts'
import { readableLog } from './lines.ts'
import { stepDeps } from './terms.ts'

export const guestSealer = createSealer(parseSealingKeys(newSealingKey()) ?? [])

type Details = Parameters<typeof upsertGuest>[2]['details']

/** The details of a guest who wants emails. */
export const wanting = (more: Details = {}): Details => ({
  name: 'Ayu <b>Sari</b> http://evil.example',
  email: 'ayu@guest.example',
  notes: 'See http://evil.example',
  notify: true,
  ...more,
})

/** A decided booking by a new account for this guest. */
export async function bookedFor(
  db: Pool,
  details: Details,
  { kind = 'one table', accountId = '', deposits = [] as DepositRule[] } = {},
): Promise<BookingStart> {
  const found = arenaKinds.find(({ name }) => name === kind) ?? arenaKinds[0]
  const arena = await addArena(db, { ...found, ...(deposits.length > 0 && { deposits }) })
  const account = accountId || (await openAccount(db))
  const asked = { slotTime: arena.slotTimes.at(-1) ?? '', partySize: 2, accountId: account }
  const start = await request(db, arena, asked)
  const eraseAfter = new Date(Date.parse(start.startsAt) + 90 * DAY_MS)
  await upsertGuest(db, start.bookingId, { details, eraseAfter })
  await decideBooking(db, start, stepDeps, new Date())
  return start
}

/** A test's mail server, which keeps emails and fails on request. */
export function openPostOffice(db: Pool) {
  const mails: Mail[] = []
  const { log, text } = readableLog()
  const office = {
    mails,
    logged: text,
    /** how the server handles the next emails */
    take: async (_mail: Mail): Promise<void> => {},
    /** One attempt of the activity: its result or its failure. */
    async mail({ bookingId }: Pick<BookingStart, 'bookingId'>, at = new Date()): Promise<string> {
      const sendMail = async (mail: Mail) => {
        mails.push(mail)
        await office.take(mail)
      }
      const deps = { db, sealer: guestSealer, publicUrl: 'https://network.example', sendMail, log }
      return mailGuest(deps, { bookingId }, at).catch(({ message }) => `failed: ${message}`)
    },
  }
  return office
}
