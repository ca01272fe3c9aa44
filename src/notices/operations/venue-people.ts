import type { Services } from '../../contract/operation.ts'
import type { Db } from '../../platform/database/sql.ts'
import { maskedAddress } from '../rules/masked-address.ts'
import { channelContext, selectVenueChannels } from '../store/channels.ts'
import { selectNoticeSettings } from '../store/notice-settings.ts'
import { selectPeople } from '../store/people.ts'

/** The people at a venue with their channels, ended ones last, and the venue's settings. */
export async function readVenuePeople(
  db: Db,
  sealer: Pick<Services['egress'], 'open'>,
  venueId: string,
) {
  const [people, channels, settings] = await Promise.all([
    selectPeople(db, venueId),
    selectVenueChannels(db, venueId),
    selectNoticeSettings(db, venueId),
  ])
  const shown = channels.map(({ address, ...channel }) => {
    const plain = sealer.open(address, channelContext(channel.id))
    return { ...channel, address: maskedAddress(channel.kind, plain) }
  })
  const ofPerson = people.map(({ pin_hash, ...person }) => ({
    ...person,
    hasPin: pin_hash !== null,
    channels: shown.filter((channel) => channel.person_id === person.id),
  }))
  return { people: ofPerson, settings }
}
export type VenuePeople = Awaited<ReturnType<typeof readVenuePeople>>
