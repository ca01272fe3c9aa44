import { refuse } from '../../base/errors.ts'
import { type Pool, transaction } from '../../platform/database/sql.ts'
import { clearThrottle, throttle, throttleKey } from '../../platform/database/throttle.ts'
import { hashPassword, verifyPassword } from '../../platform/sealing/password-secret.ts'
import { isWeakPin, pinThrottles } from '../rules/pin.ts'
import { selectOptionalInvited, useInvitation } from '../store/invitations.ts'
import { type Person, selectOptionalPerson } from '../store/people.ts'
import { insertChange } from '../store/person-changes.ts'

type SignedIn = { id: string; pin_hash: string; venue_id: string }
type Attempt = { pin: string; address: string; at: Date }

const clearAttempts = async (db: Pool, personId: string) => {
  for (const limit of [pinThrottles.byPerson, pinThrottles.inRow]) {
    await clearThrottle(db, throttleKey(limit, personId))
  }
}

/**
 * A person who gave the right PIN at their venue. Throws `wrong_pin`, also for people of other
 * venues, `too_many_tries` and `overloaded`.
 */
export async function signInPerson(
  db: Pool,
  { venueId, personId }: { venueId: string; personId: string },
  { pin, address, at }: Attempt,
): Promise<SignedIn> {
  await throttle(db, pinThrottles.byAddress, address, at)
  const person: Person | undefined = await selectOptionalPerson(db, personId)
  if (person?.venue_id !== venueId) throw refuse('wrong_pin')
  await throttle(db, pinThrottles.byPerson, personId, at)
  await throttle(db, pinThrottles.inRow, personId, at)
  const { pin_hash } = person
  if (!(await verifyPassword(pin, pin_hash ?? undefined, address)) || pin_hash === null) {
    throw refuse('wrong_pin')
  }
  await clearAttempts(db, personId)
  return { ...person, pin_hash }
}

/** The person and venue of an open invitation; throws `invitation_invalid`. */
export async function readInvitation(db: Pool, invitationId: string | undefined, at: Date) {
  const invited = invitationId && (await selectOptionalInvited(db, invitationId, at))
  if (!invited) throw refuse('invitation_invalid')
  return { ...invited, invitationId }
}

/**
 * Uses an invitation up: the person gets this name and PIN. Of two who use it, one succeeds. Throws
 * `form_incomplete` for a PIN that strangers would try first, `invitation_invalid`,
 * `too_many_tries` and `overloaded`.
 */
export async function joinVenue(
  db: Pool,
  invitation: Awaited<ReturnType<typeof readInvitation>>,
  name: string,
  { pin, address, at }: Attempt,
): Promise<SignedIn> {
  const { id, venue_id, invitationId } = invitation
  await throttle(db, pinThrottles.joinByAddress, address, at)
  if (isWeakPin(pin)) throw refuse('form_incomplete', weakPin, { errors: [weakPinProblem] })
  const pinHash = await hashPassword(pin, address)
  await transaction(db, async (tx) => {
    if (!(await useInvitation(tx, { invitationId, name, pinHash, at }))) {
      throw refuse('invitation_invalid')
    }
    const change = { venueId: venue_id, actorId: id, personId: id, action: 'joined', at } as const
    await insertChange(tx, change)
  })
  await clearAttempts(db, id)
  return { id, venue_id, pin_hash: pinHash }
}

const weakPin = 'Choose a PIN that is harder to guess.'
const weakPinProblem = { pointer: '/pin', detail: weakPin }
