import { counted } from '../base/counted.ts'
import { storeOperatorAct } from '../bookings/steps/operator-act.ts'
import { byCommand } from '../contract/audit.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import type { Db } from '../platform/database/sql.ts'

const MAX_REASON = 200

/** Has the running service cancel bookings; returns a line about them, or '' without any. */
export async function cancelBookings(
  tx: Db,
  bookings: readonly { id: string; account_id: string }[],
  { id, reason }: { id: string; reason: string },
  at: Date,
): Promise<string> {
  for (const booking of bookings) {
    const by = byCommand(booking.account_id, at, { reason })
    await storeOperatorAct(tx, booking.id, { name: 'cancel', id, reason }, by)
  }
  if (bookings.length === 0) return ''
  return `\nThe running service cancels ${counted(bookings.length, 'booking')} within a minute.`
}

/** Checks a reason that agents read; `option` is where it was typed. */
export function reasonFrom(text: string, option: string): string {
  const reason = text.trim()
  if (reason !== '' && reason.length <= MAX_REASON && !/\p{C}/u.test(reason)) return reason
  throw new UsageError(`${option} takes a reason of 1 to ${MAX_REASON} characters.`)
}
