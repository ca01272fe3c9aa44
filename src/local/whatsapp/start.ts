import { type Config, publicUrlOf } from '../../config/config.ts'
import { channelDigests } from '../../notices/rules/channel.ts'
import { whatsAppOf } from '../../notices/rules/whatsapp-settings.ts'
import { channelContext, insertChannel } from '../../notices/store/channels.ts'
import { insertPerson, selectPeople } from '../../notices/store/people.ts'
import { type Pool, transaction } from '../../platform/database/sql.ts'
import { uuidOf } from '../../platform/database/uuid-of.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import type { DataFolder } from '../data-folder.ts'
import { choosePort } from '../ports.ts'
import { openWhatsApp } from './stand-in.ts'

/** Starts the stand-in of WhatsApp unless this is production or a number at Meta is configured. */
export async function standInForWhatsApp(config: Config, folder: DataFolder) {
  if (config.NODE_ENV === 'production' || config.DEMO === 'none' || whatsAppOf(config)) return
  const port = await choosePort(folder.state.whatsappPort)
  folder.update({ whatsappPort: port })
  const callback = `${publicUrlOf({ ...config, PUBLIC_URL: undefined })}/whatsapp/events`
  return openWhatsApp(() => callback, { port, publicUrl: publicUrlOf(config) })
}

/** Gives venues without people a person with a phone of the stand-in; +999 is no country. */
export async function addDemoPhones(
  db: Pool,
  sealer: Sealer,
  venues: readonly { id: string }[],
  at: Date,
): Promise<void> {
  for (const [index, venue] of venues.entries()) {
    if ((await selectPeople(db, venue.id)).length > 0) continue
    const personId = uuidOf(`demo person/${venue.id}`)
    const id = uuidOf(`demo phone/${venue.id}`)
    const number = `+9990000${1000 + index}`
    const [digest = Buffer.of()] = channelDigests(sealer, 'whatsapp', number)
    const address = sealer.seal(number, channelContext(id))
    await transaction(db, async (tx) => {
      const about = { venueId: venue.id, name: 'Wayan', role: 'owner', language: null } as const
      await insertPerson(tx, { id: personId, ...about, at })
      const channel = { kind: 'whatsapp', address, digest, optedInBy: 'operator', at } as const
      await insertChannel(tx, { id, personId, ...channel })
    })
  }
}
