import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { HOUR_MS } from '../../base/durations.ts'
import { refuse } from '../../base/errors.ts'
import type { Words } from '../../base/languages.ts'
import type { Services } from '../../contract/operation.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { throttle } from '../../platform/database/throttle.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import { type ChannelKind, channelDigests, knownAddress } from '../rules/channel.ts'
import { addressThrottles } from '../rules/pin.ts'
import * as channels from '../store/channels.ts'
import { lockPeople, selectOptionalPerson } from '../store/people.ts'
import { insertChange } from '../store/person-changes.ts'

/** Of a person. */
const MAX_CHANNELS = 8

type NewChannel = { venueId: string; personId: string; kind: ChannelKind; address: string }

/**
 * Adds a channel after the person's others, once for one address. `by` records who agreed to be
 * told there: the person, or an operator on their behalf. Throws `address_stopped`, `person_limit`,
 * and `person_required` for a removed person.
 */
export async function addChannel(
  tx: Db,
  sealer: Pick<Sealer, 'seal' | 'digests'>,
  { venueId, personId, kind, address }: NewChannel,
  by: 'person' | 'operator',
  at: Date,
): Promise<void> {
  const people = await lockPeople(tx, venueId)
  if (!people.some((person) => person.id === personId)) throw refuse('person_required')
  const digests = channelDigests(sealer, kind, knownAddress(kind, address))
  const [digest = Buffer.of()] = digests
  if (await channels.isOptedOut(tx, digests)) throw refuse('address_stopped')
  const same = await channels.selectChannelsByDigest(tx, digests)
  if (same.some((one) => one.person_id === personId)) return
  const others = await channels.selectChannels(tx, personId)
  if (others.length >= MAX_CHANNELS) throw refuse('person_limit')
  const id = (await channels.selectOptionalId(tx, personId, digests)) ?? randomUUIDv7()
  const sealed = sealer.seal(address, channels.channelContext(id))
  const channel = { id, personId, kind, address: sealed, digest, optedInBy: by, at }
  await channels.insertChannel(tx, channel)
  const actorId = by === 'person' ? personId : null
  await insertChange(tx, { venueId, actorId, personId, action: 'channel_added', at })
}

/** How long the link of a mail proves an address. */
const PROOF_HOURS = 24
const PROOF = 'notice_proof/mail'
const proof = z.object({ personId: z.uuid(), address: z.email(), until: z.number() })

type MailDeps = Pick<Services, 'db' | 'sendMail' | 'egress' | 'settings'>

/**
 * Sends a link that proves a person's mail address; nothing is stored until its button is pressed.
 * Throws `too_many_tries`, and `address_stopped`.
 */
export async function mailProof(
  { db, sendMail, egress, settings }: MailDeps,
  { personId, address, venue, words }: ProofMail,
  at: Date,
): Promise<void> {
  await throttle(db, addressThrottles.byPerson, personId, at)
  await throttle(db, addressThrottles.toAddress, address, at)
  const digests = channelDigests(egress, 'mail', address)
  if (await channels.isOptedOut(db, digests)) throw refuse('address_stopped')
  const until = at.getTime() + PROOF_HOURS * HOUR_MS
  const token = egress.seal(JSON.stringify({ personId, address, until }), PROOF)
  const url = `${settings.publicUrl}/venue/mail?token=${token}`
  const say = (name: 'subject' | 'text') => words.say(`people.proof.${name}`, { venue, url })
  await sendMail({ to: address, subject: say('subject'), text: `${say('text')}\n` })
}
type ProofMail = { personId: string; address: string; venue: string; words: Words }

/** What a link of `mailProof` says; throws `invitation_invalid` if it is invented or too old. */
export async function readProof(
  { db, egress }: Pick<MailDeps, 'db' | 'egress'>,
  token: string,
  at: Date,
) {
  const { personId, address, until } = proof.parse(openProof(egress, token))
  const person = until > at.getTime() ? await selectOptionalPerson(db, personId) : undefined
  if (!person || person.removed_at) throw refuse('link_already_used')
  return { venueId: person.venue_id, personId, address, name: person.name }
}

function openProof(sealer: Pick<Sealer, 'open'>, token: string): unknown {
  try {
    return JSON.parse(sealer.open(token, PROOF))
  } catch {
    throw refuse('link_already_used')
  }
}

/** Adds the mail address that a link proves. */
export async function proveMail(deps: Pick<MailDeps, 'db' | 'egress'>, token: string, at: Date) {
  const { name: _, ...channel } = await readProof(deps, token, at)
  await transaction(deps.db, (tx) =>
    addChannel(tx, deps.egress, { ...channel, kind: 'mail' }, 'person', at),
  )
}
