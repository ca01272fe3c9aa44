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
import { discardHeld, releaseHeld } from '../store/held-deliveries.ts'
import { type ReplayChange, updateReplayStatus } from '../store/replays.ts'

/** Records a command and does it, in one transaction; undefined when it was done before. */
const commandOnce = <T>(
  db: Pool,
  command: EndpointCommand,
  work: (tx: Db) => Promise<T>,
): Promise<T | undefined> =>
  transaction(db, async (tx) => ((await insertEndpointCommand(tx, command)) ? work(tx) : undefined))

/** Pauses an active endpoint, or disables one; false when it is so already. */
export const holdEndpoint = (
  db: Pool,
  command: EndpointCommand & { name: 'pause' | 'disable' },
  by: HeldBy,
) =>
  commandOnce(db, command, (tx) => {
    const hold = command.name === 'pause' ? pauseEndpoint : disableEndpoint
    return hold(tx, command.endpointId, command.at, by)
  })

/** Which hold to end, and what becomes of held deliveries. */
export type Reopening = { from: 'paused' | 'disabled'; held: 'release' | 'discard' }

/**
 * Ends a pause or a disabling. Changes held deliveries first: after a crash the same command
 * continues. Of two commands at once the second finds the endpoint open and changes nothing.
 */
export async function reopenOnce(db: Pool, command: EndpointCommand, { from, held }: Reopening) {
  if (await hasEndpointCommand(db, command)) return undefined
  const { endpointId: id, at } = command
  const holding = { id, status: from, at }
  const end = async (tx: Db) => {
    if (await insertEndpointCommand(tx, command)) await reopenEndpoint(tx, id, { from, at })
  }
  return held === 'release'
    ? { released: await releaseHeld(db, holding, end) }
    : { discarded: await discardHeld(db, holding, end) }
}

/** Pauses, resumes or cancels a replay of the endpoint; false when that changes nothing. */
export const changeReplay = (
  db: Pool,
  command: EndpointCommand,
  replayId: string,
  change: ReplayChange,
) => commandOnce(db, command, (tx) => updateReplayStatus(tx, replayId, change, command.at))
