import type { Pool } from '../../src/platform/database/sql.ts'

export type Filled = { bookings: number; endpoints: number; events: number; calls: number }

/**
 * An account's history in a few statements: bookings, fees, events, one attempted delivery per
 * event and endpoint, and seven days of calls.
 */
export async function fillTraffic(
  db: Pool,
  accountId: string,
  { bookings, endpoints, events, calls }: Filled,
): Promise<void> {
  await db.query(
    `with places as (
       select row_number() over (order by o.id) - 1 as place, count(*) over () as many,
         o.id as service_id, o.venue_id, o.rule_version
       from service o
     ), wanted as (
       select n, uuidv7(make_interval(mins => n - $2::int)) as id, p.service_id, p.venue_id,
         p.rule_version,
         date_trunc('hour', now()::timestamp) + make_interval(hours => n - $2::int) as slot_time,
         now() + make_interval(mins => n - $2::int) as at,
         case when n % 20 = 0 then 'cancelled' when n % 33 = 0 then 'no_show' when n % 50 = 0
           then 'declined'
           else 'completed' end as status
       from generate_series(1, $2::int) n join places p on p.place = n % p.many
     ), asked as (
       insert into request (booking_id, account_id, operation, body_hash, door, venue_id, slot_time,
         party_size,
         created_at, answer)
       select id, $1, 'confirm', '', 'rest', venue_id, slot_time, 2, at, '{"booking": {}}'
         from wanted
     )
     insert into booking (id, account_id, venue_id, service_id, rule_version, status, revision,
       slot_time,
       starts_at, ends_at, party_size, cancel_until, created_at, updated_at)
     select id, $1, venue_id, service_id, rule_version, status, 3, slot_time,
       slot_time at time zone 'UTC',
       slot_time at time zone 'UTC' + interval '2 hours', 2, at, at, at
     from wanted`,
    [accountId, bookings],
  )
  await db.query(
    `insert into endpoint (id, account_id, nth, url, event_types, status, challenge, verified_at,
        proved_at,
       created_at, updated_at)
     select gen_random_uuid(), $1, n, 'https://receiver.example/hooks/' || n, array['*'], 'paused',
       'bench',
       now(), now(), now(), now()
     from generate_series(1, $2::int) n`,
    [accountId, endpoints],
  )
  await db.query(
    `with counter as (insert into event_counter (account_id, last) values ($1, $2::int))
     insert into event (account_id, number, id, type, data, created_at)
     select $1, n, gen_random_uuid(),
       case when n % 500 = 0 then 'endpoint.test' when n % 2 = 0 then 'fee.accrued'
         else 'booking.confirmed' end,
       jsonb_build_object('booking', jsonb_build_object('id', gen_random_uuid()), 'text',
         repeat('x', 400)),
       now() + make_interval(mins => n - $2::int)
     from generate_series(1, $2::int) n`,
    [accountId, events],
  )
  await db.query(
    `with put as (
       insert into delivery (id, endpoint_id, account_id, event_number, event_type, status,
         sequence, body, tries,
         attempts, due_at, give_up_at, delivered_at, created_at, updated_at)
       select gen_random_uuid(), e.id, $1, v.number, v.type, s.status,
         case when s.status <> 'pending' then v.number end, case when s.status <> 'pending'
           then '{}' end,
         1, 1, case when s.status = 'pending' then now() end, now() + interval '90 hours',
         case when s.status = 'delivered' then v.created_at end, v.created_at, v.created_at
       from event v join endpoint e using (account_id)
         cross join lateral (select case when v.number % 100 = 0 then 'failed'
           when v.number % 101 = 0 then 'pending'
           else 'delivered' end as status) s
       where v.account_id = $1
       returning id, endpoint_id, status, created_at
     )
     insert into attempt (id, delivery_id, endpoint_id, number, cause, status, started_at, ms,
       http_status,
       response_headers, response_body, response_truncated, url, signed_with)
     select gen_random_uuid(), id, endpoint_id, 1, 'schedule',
       case when status = 'delivered' then 'succeeded' else 'failed' end, created_at, 12,
       case when status = 'delivered' then 200 else 500 end, '{"content-type": "text/plain"}', 'ok',
         false,
       'https://receiver.example/hooks', '{}'
     from put`,
    [accountId],
  )
  await db.query(
    `insert into fee_entry (id, account_id, booking_id, kind, base_minor, pct, amount_minor,
        currency, is_demo, created_at)
     select gen_random_uuid(), $1, id, 'accrual', 50000000, 2.5, 1250000, 'IDR', true, created_at
     from booking where account_id = $1`,
    [accountId],
  )
  await fillCalls(db, accountId, calls)
  await db.query('vacuum analyze')
}

/**
 * Inserts calls with two keys over the last seven days; one in a hundred is refused, and some codes
 * and operations are rare. Daily totals cover three months.
 */
async function fillCalls(db: Pool, accountId: string, calls: number): Promise<void> {
  const codes =
    `case when n % 20000 = 0 then 'slot_unavailable' when n % 100 = 0 then 'quota_exceeded' ` +
    `else 'ok' end`
  await db.query(
    `with key as (
       insert into api_key (id, account_id, name, hash, hint, created_at)
       select uuidv7(), $1, 'bench ' || n, sha256(uuid_send(gen_random_uuid())), 'xxxx', now()
         from generate_series(0, 1) n
       returning id, right(name, 1)::int as nth
     )
     insert into request_log (account_id, at, request_id, key_id, door, operation, code, ms,
       from_agent, calls)
     select $1, now() - (n::float / $2::int) * interval '7 days', gen_random_uuid(), k.id,
       case when n % 10 = 0 then 'a2a' else 'rest' end,
       case when n % 50000 = 0 then 'make itinerary' when n % 10 = 0 then 'confirm booking'
         else 'search venues' end,
       ${codes}, 12, 'agent://concierge', 1
     from generate_series(1, $2::int) n join key k on k.nth = case when n % 40000 = 0 then 1
       else 0 end`,
    [accountId, calls],
  )
  await db.query(
    `insert into usage_day (account_id, day, code, calls)
     select $1, current_date - d, code, $2::int / 7 from generate_series(0, 89) d,
       unnest(array['ok', 'quota_exceeded', 'rate_limited', 'slot_unavailable',
         'invalid_request']) code`,
    [accountId, calls],
  )
}
