import type { MigrationBuilder } from 'node-pg-migrate'

const PAGE = 5_000

/**
 * Has the sweep erase what requests from before keep of their guests: the account's reference, and
 * digests without a key. Those whose details are erased already are due at once. In pages, because
 * there may be many. Repeatable.
 */
export async function up(pgm: MigrationBuilder): Promise<void> {
  pgm.noTransaction()
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const [page]: { last: string | null }[] = await pgm.db.select(
      `with page as (
         select r.booking_id, r.guest_ref,
           coalesce(b.starts_at, r.slot_time at time zone 'UTC') + interval '90 days' as erase_after
         from request r left join booking b on b.id = r.booking_id
         where r.booking_id > $1 order by r.booking_id limit $2
       ), added as (
         insert into booking_guest (booking_id, erase_after)
         select booking_id, erase_after from page
         where guest_ref is not null or erase_after < now()
         on conflict do nothing
       )
       select max(booking_id::text) as last from page having count(*) > 0`,
      [after, PAGE],
    )
    if (!page?.last) return
    after = page.last
  }
}
