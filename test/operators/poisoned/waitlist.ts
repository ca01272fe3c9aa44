import { scanWaitlist } from '../../../src/waitlist/steps/scan-waitlist.ts'
import { addVenue } from '../../support/test-venues.ts'
import { type Case, dueIn, insertAlone, type World } from './world.ts'

const id = 'gen_random_uuid()'
const old = `now() - interval '40 d'`

const scan =
  ({ db, log, engine }: World) =>
  (at: Date) =>
    scanWaitlist(
      { db, log, engine: { ...engine, begin: async () => {}, notifyEntry: async () => {} } },
      at,
    )

/** Pro accounts' entries that wait until `until` for a table for two at this venue. */
const entry = (venueId: string, accountId: string, until: string, status = 'watching') => `
  insert into waitlist_entry (id, account_id, venue_id, slot_time, flex_minutes, party_size,
    earliest, latest, until, hold_seconds, status, hold_id, queued_at, nth, door, created_at,
    updated_at)
  select ${id}, '${accountId}', '${venueId}', s at time zone 'Asia/Makassar', 0, 2, s, s, ${until},
    900, '${status}', case '${status}' when 'offered' then ${id} end, now(), 1, 'rest', now(), now()
  from (select date_trunc('day', now() at time zone 'Asia/Makassar') at time zone 'Asia/Makassar'
    + interval '3 d 19 h' as s) as slot`

const later = `least(s, now() + interval '1 d')`

async function addEntries(
  world: World,
  venueIds: readonly string[],
  until: string,
  status?: string,
) {
  const ids: string[] = []
  for (const venueId of venueIds) {
    const { accountId } = await world.doors.openAccount('pro')
    ids.push(...(await insertAlone(world.db, entry(venueId, accountId, until, status), 'id')))
  }
  return ids
}

const openVenue = async ({ db }: World) => {
  const rules = { places: 12, party_max: 4, durations: [{ party_max: 4, minutes: 60 }] }
  return (await addVenue(db, [{ strategy: 'pooled', rules }])).id
}

const watchVenue = ({ db }: World, venueId: string) =>
  db.query(
    `insert into waitlist_venue (venue_id, checked_at) values ($1, ${old})
     on conflict (venue_id) do update set checked_at = ${old}`,
    [venueId],
  )

export const waitlist = {
  'waitlist-venues': async (world) => {
    const ids = [await openVenue(world), await openVenue(world), await openVenue(world)]
    await addEntries(world, ids, later)
    for (const venueId of ids) await watchVenue(world, venueId)
    return {
      ids,
      poison: { table: 'waitlist_venue', before: 'update', key: 'venue_id' },
      run: scan(world),
      left: dueIn(
        world.db,
        'waitlist_venue',
        'venue_id',
        ids,
        `checked_at < ${old} + interval '1 d'`,
      ),
    }
  },
  'waitlist-offers': async (world) => {
    const venueId = await openVenue(world)
    const ids = await addEntries(world, [venueId, venueId, venueId], later)
    await watchVenue(world, venueId)
    return {
      ids,
      poison: { table: 'waitlist_entry', before: 'update', key: 'id' },
      run: scan(world),
      left: dueIn(world.db, 'waitlist_entry', 'id', ids, `status = 'watching'`),
    }
  },
  'offered-holds': async (world) => {
    const venueId = await openVenue(world)
    const watches = await addEntries(world, [venueId, venueId, venueId], later, 'offered')
    const ids = await insertAlone(
      world.db,
      `insert into waitlist_turn (hold_id, entry_id, offered_at)
       select hold_id, id, ${old} from waitlist_entry where id in ('${watches.join("', '")}')`,
      'hold_id',
    )
    return {
      ids,
      poison: { table: 'waitlist_turn', before: 'update', key: 'hold_id' },
      run: scan(world),
      left: dueIn(world.db, 'waitlist_turn', 'hold_id', ids, 'not is_started'),
    }
  },
  'waitlist-entries': async (world) => {
    const venueId = await openVenue(world)
    const ids = await addEntries(world, [venueId, venueId, venueId], old)
    return { ids, poison: 'calls', run: scan(world), left: world.unhelped(ids) }
  },
} satisfies Record<string, Case>
