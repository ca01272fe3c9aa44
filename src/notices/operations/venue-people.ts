import type { Services } from '../../contract/operation.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { ChannelKind } from '../rules/channel.ts'
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
    return { ...channel, address: addressOf(sealer, address, channel) }
  })
  const ofPerson = people.map(({ pin_hash, ...person }) => ({
    ...person,
    hasPin: pin_hash !== null,
    channels: shown.filter((channel) => channel.person_id === person.id),
  }))
  return { people: ofPerson, settings }
}

/** One that no key opens any longer does not hide the others. */
function addressOf(
  sealer: Pick<Services['egress'], 'open'>,
  address: string,
  { id, kind }: { id: string; kind: ChannelKind },
): string {
  try {
    return maskedAddress(kind, sealer.open(address, channelContext(id)))
  } catch {
    return '?'
  }
}
export type VenuePeople = Awaited<ReturnType<typeof readVenuePeople>>
