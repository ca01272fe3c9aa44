import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'
import type { MirrorDay, MirrorSlot } from '../rules/mirror.ts'

/** A venue's free slots in an inclusive range of local dates, as of `asOf` on the venue's clock. */
export type Mirrored = { from: string; to: string; asOf: Date; slots: readonly MirrorSlot[] }

/** Stores a report unless a later one exists, and deletes dates before yesterday. */
export const upsertMirror = (db: Db, venueId: string, mirrored: Mirrored) =>
  query.execute(db)`
    with forgotten as (
      delete from mirror_day where venue_id = ${venueId} and date < ${mirrored.asOf}::date - 1
    ), said as (
      select (s ->> 'slot_time')::date as date, jsonb_agg(s order by s ->> 'slot_time') as slots
      from jsonb_array_elements(${JSON.stringify(mirrored.slots)}::jsonb) s group by 1
    )
    insert into mirror_day as m (venue_id, date, as_of, slots)
    select ${venueId}, day::date, ${mirrored.asOf}, coalesce(said.slots, '[]')
    from generate_series(${mirrored.from}::date, ${mirrored.to}::date, interval '1 day') as day
      left join said on said.date = day::date
    on conflict (venue_id, date) do update set as_of = excluded.as_of,
      slots = case when m.slots = excluded.slots then m.slots else excluded.slots end
    where m.as_of < excluded.as_of`

const dayRow = z.object({
  venue_id: z.uuid(),
  date: z.string(),
  slots: z.array(z.custom<MirrorSlot>()),
})

/** Reports by `mirrorKey`. */
export type Mirror = ReadonlyMap<string, MirrorDay>

export const mirrorKey = (venueId: string, date: string): string => `${venueId} ${date}`

export async function selectMirrorDay(db: Db, venueId: string, date: string): Promise<MirrorDay> {
  const days = await selectMirror(db, [venueId], { from: date, to: date })
  return days.get(mirrorKey(venueId, date)) ?? null
}

export async function selectMirror(
  db: Db,
  venueIds: readonly string[],
  dates: { from: string; to: string },
): Promise<Mirror> {
  const rows = await query.rows(db, dayRow)`
    select venue_id, date::text as date, slots from mirror_day
    where venue_id = any(${venueIds}::uuid[]) and date between ${dates.from} and ${dates.to}`
  return new Map(
    rows.map(({ venue_id, date, slots }) => [
      mirrorKey(venue_id, date),
      new Map(slots.map((slot) => [slot.slot_time, slot])),
    ]),
  )
}
