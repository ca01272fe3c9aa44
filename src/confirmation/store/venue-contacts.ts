import { type Db, query } from '../../platform/database/sql.ts'

/** The sealing context of a venue's notice secret, so that it can be opened only in this row. */
export const contactContext = (venueId: string): string => `venue_contact/${venueId}`

/** From now on, sends a venue's notices to `url`. The secret is sealed. */
export const upsertContact = (
  db: Db,
  { venueId, url, secret }: { venueId: string; url: string | null; secret: string | null },
) =>
  query.execute(db)`
    insert into venue_contact (venue_id, notify_url, secret) values (${venueId}, ${url}, ${secret})
    on conflict (venue_id) do update set notify_url = excluded.notify_url, secret = excluded.secret`
