import { z } from 'zod'
import { type Db, execute, queryOptionalRow } from '../../platform/database/sql.ts'

/** What the secret of a venue's notices is sealed to: it opens in this row only. */
export const contactContext = (venueId: string): string => `venue_contact/${venueId}`

/** Sends a venue's notices to `url` from now on; the secret is sealed. */
export const upsertContact = (
  db: Db,
  { venueId, url, secret }: { venueId: string; url: string | null; secret: string | null },
) =>
  execute(db)`
    insert into venue_contact (venue_id, notify_url, secret) values (${venueId}, ${url}, ${secret})
    on conflict (venue_id) do update set notify_url = excluded.notify_url, secret = excluded.secret`

/** Invalidates every link to the venue's page that was made before `at`. */
export const endLinks = (db: Db, venueId: string, at: Date) =>
  execute(db)`
    insert into venue_contact (venue_id, links_from) values (${venueId}, ${at})
    on conflict (venue_id) do update set links_from = excluded.links_from`

const pageRow = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  timezone: z.string(),
  links_from: z.date().nullable(),
})
/** The venue of a page; links made before `links_from` are no longer valid. */
export type PageVenue = z.infer<typeof pageRow>

/** The venue that a link names. */
export const selectOptionalPageVenue = (db: Db, venueId: string) =>
  queryOptionalRow(db, pageRow)`
    select v.id, v.slug, v.name, a.timezone, c.links_from
    from venue v join area a on a.slug = v.area_slug
    left join venue_contact c on c.venue_id = v.id
    where v.id = ${venueId}`
