import { type Audited, type AuditNote, recordAudit } from '../../contract/audit.ts'
import type { Db } from '../../platform/database/sql.ts'
import { uuidOf } from '../../platform/database/uuid-of.ts'
import type { OperatorAct, SubmittedCommand } from '../rules/booking-messages.ts'
import {
  insertCommand,
  lockCommands,
  selectGivenUpCommand,
  selectSubmittedCommand,
} from '../store/commands.ts'

const actions = {
  cancel: 'booking.cancelled',
  retry: 'booking.retried',
  wake: 'booking.woken',
} as const

/**
 * Stores an operator's act on a booking as a command, and records it in the account's audit log; if
 * the id was already used for this act, returns the earlier command. (One id, such as an incident
 * number, may cover several acts.) A retry repeats the last abandoned command, as of when the agent
 * gave it; if there is none, it only wakes the booking.
 */
export async function storeOperatorAct(
  tx: Db,
  bookingId: string,
  { name, id, reason }: Omit<OperatorAct, 'by'>,
  audited: Audited & { account: { id: string } },
): Promise<SubmittedCommand> {
  await lockCommands(tx, bookingId)
  const commandId = uuidOf(`${bookingId} ${name} ${id}`)
  const before = await selectSubmittedCommand(tx, bookingId, commandId)
  if (before) return before
  const again = name === 'retry' ? await selectGivenUpCommand(tx, bookingId) : undefined
  const { kind, input, created_at } = again ?? {
    kind: name === 'cancel' ? ('cancel' as const) : ('wake' as const),
    input: name === 'cancel' ? { by: 'operator', reason } : {},
    created_at: audited.at,
  }
  await insertCommand(tx, {
    id: commandId,
    accountId: audited.account.id,
    bookingId,
    kind,
    input,
    at: created_at,
    idempotencyKey: null,
    bodyHash: Buffer.alloc(0),
    guest: null,
    fromAgent: null,
    door: audited.door,
  })
  const details = { ...(again && { command: kind }) }
  await recordAudit(tx, audited, actions[name], { id: bookingId, details })
  return { id: commandId, kind, input }
}

/** What the audit log records about an operator's act. */
export const saidIn = ({ id, by, reason }: OperatorAct): AuditNote => ({ act: id, by, reason })
