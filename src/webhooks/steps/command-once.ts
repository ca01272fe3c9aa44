import { type Audited, recordAudit } from '../../contract/audit.ts'
import { type Db, type Pool, transaction } from '../../platform/database/sql.ts'
import {
  type EndpointCommand,
  hasEndpointCommand,
  insertEndpointCommand,
} from '../store/endpoint-commands.ts'
import {
  disableEndpoint,
  type HeldBy,
  pauseEndpoint,
  reopenEndpoint,
} from '../store/endpoint-states.ts'
import { selectOptionalEndpoint } from '../store/endpoints.ts'
import { discardHeld, releaseHeld } from '../store/held-deliveries.ts'
import { type ReplayChange, updateReplayStatus } from '../store/replays.ts'

/**
 * Records and runs a command in one transaction; undefined if it has run before, false if it
 * changed nothing.
 */
const commandOnce = (
  db: Pool,
  command: EndpointCommand,
  work: (tx: Db) => Promise<boolean>,
  audit: (tx: Db) => Promise<unknown>,
): Promise<boolean | undefined> =>
  transaction(db, async (tx) => {
    if (!(await insertEndpointCommand(tx, command))) return undefined
    const isChanged = await work(tx)
    if (isChanged) await audit(tx)
    return isChanged
  })

const urlOf = async (tx: Db, { account }: Audited, id: string) =>
  (await selectOptionalEndpoint(tx, account?.id ?? '', id))?.url

const holds = { pause: 'endpoint.paused', disable: 'endpoint.disabled' } as const

/** Pauses an active endpoint or disables any endpoint; false if that was already done. */
export const holdEndpoint = (
  db: Pool,
  { name, ...command }: EndpointCommand & { name: 'pause' | 'disable' },
  by: HeldBy,
  audited: Audited,
) =>
  commandOnce(
    db,
    { name, ...command },
    (tx) => {
      const hold = name === 'pause' ? pauseEndpoint : disableEndpoint
      return hold(tx, command.endpointId, command.at, by)
    },
    async (tx) => {
      const { endpointId: id } = command
      await recordAudit(tx, audited, holds[name], { id, name: await urlOf(tx, audited, id) })
    },
  )

/** Which hold ends, and what happens to held deliveries. */
export type Reopening = { from: 'paused' | 'disabled'; held: 'release' | 'discard' }

/**
 * Ends a pause or re-enables an endpoint. Held deliveries change first, so that repeating the
 * command after a crash continues it. Of two concurrent commands, the second finds the hold already
 * ended and changes nothing; it is recorded as well, so that its signal has no later effect.
 */
export async function reopenOnce(
  db: Pool,
  command: EndpointCommand,
  { from, held }: Reopening,
  audited: Audited,
) {
  if (await hasEndpointCommand(db, command)) return undefined
  const { endpointId: id, at } = command
  const holding = { id, status: from, at }
  const end = async (tx: Db) => {
    if (!(await insertEndpointCommand(tx, command))) return
    if (!(await reopenEndpoint(tx, id, { from, at }))) return
    const action = from === 'paused' ? 'endpoint.resumed' : 'endpoint.enabled'
    const name = await urlOf(tx, audited, id)
    await recordAudit(tx, audited, action, { id, name, details: { held } })
  }
  const count =
    held === 'release'
      ? { released: await releaseHeld(db, holding, end) }
      : { discarded: await discardHeld(db, holding, end) }
  await insertEndpointCommand(db, command)
  return count
}

/** Pauses, resumes or cancels a replay of the endpoint; false if nothing changes. */
export const changeReplay = (
  db: Pool,
  command: EndpointCommand,
  replayId: string,
  change: ReplayChange,
  audited: Audited,
) =>
  commandOnce(
    db,
    command,
    (tx) => updateReplayStatus(tx, replayId, change, command.at),
    (tx) => recordAudit(tx, audited, replayChanges[change], { id: replayId }),
  )

/** The audit action for each change to a replay. */
export const replayChanges = {
  pause: 'replay.paused',
  resume: 'replay.resumed',
  cancel: 'replay.cancelled',
} as const
