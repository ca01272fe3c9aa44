import { type Pool, query, transaction } from '../../src/platform/database/sql.ts'
import { GIVE_UP_MS } from '../../src/webhooks/rules/retry-schedule.ts'

/** Enqueues `count` events of an account for all its endpoints, without notifying the sender. */
export async function fillEvents(db: Pool, accountId: string, count: number): Promise<void> {
  const at = new Date()
  await transaction(db, async (tx) => {
    await query.execute(tx)`
      insert into event_counter (account_id, last) values (${accountId}, ${count})
      on conflict (account_id) do update set last = event_counter.last + ${count}`
    await query.execute(tx)`
      insert into event (account_id, number, id, type, data, created_at)
      select ${accountId}, c.last - ${count} + n, gen_random_uuid(), 'venue.availability_opened',
        jsonb_build_object('text', repeat('x', 400)), ${at}
      from event_counter c, generate_series(1, ${count}) n where c.account_id = ${accountId}`
    await query.execute(tx)`
      insert into delivery (id, endpoint_id, account_id, event_number, event_type, status, due_at,
        give_up_at,
        created_at, updated_at)
      select gen_random_uuid(), e.id, v.account_id, v.number, v.type, 'pending', ${at},
        ${new Date(at.getTime() + GIVE_UP_MS)}, ${at}, ${at}
      from (select * from event where account_id = ${accountId} order by number desc
        limit ${count}) v
        join endpoint e using (account_id)`
  })
}

/** The number of deliveries still to be made. */
export async function countOpen(db: Pool, accountIds: readonly string[]): Promise<number> {
  const { rows } = await db.query(
    'select count(*)::int as open from delivery where account_id = any($1) and status <> ' +
      `'delivered'`,
    [accountIds],
  )
  return rows[0].open
}
