import { randomUUIDv7 } from 'node:crypto'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { type Pool, query } from '../../src/platform/database/sql.ts'
import { stepDeps } from '../../test/support/terms.ts'
import { type ArenaKind, addArena, arenaKinds } from './arena.ts'
import { openAccount, request, type World } from './world.ts'

/** A constraint on which a guarantee relies. */
export type Guard = {
  constraint: string
  drop: string
  /** what else in our own steps enforces it, so that they stay correct without the constraint */
  alsoEnforcedBy: string | null
  /** A write that violates only this rule; the constraint must reject it. */
  violate(db: Pool, start: BookingStart): Promise<unknown>
}

const dropped = (table: string, constraint: string) =>
  `alter table ${table} drop constraint ${constraint} cascade`

export const guards: readonly Guard[] = [
  {
    constraint: 'allocation_no_overlap',
    drop: dropped('allocation', 'allocation_no_overlap'),
    alsoEnforcedBy: null,
    violate: (db, { bookingId }) =>
      query.execute(db)`
        insert into allocation (booking_id, venue_id, resource_id, during, active)
        select booking_id, venue_id, resource_id,
          tstzrange(lower(during), upper(during) - interval '1 minute'), true
        from allocation where booking_id = ${bookingId}`,
  },
  {
    constraint: 'slot_counter_not_oversold',
    drop: dropped('slot_counter', 'slot_counter_not_oversold'),
    alsoEnforcedBy: 'the condition of the update that takes places, evaluated on the locked row',
    violate: (db, { bookingId }) =>
      query.execute(db)`
        with taken as (
          update slot_count set places = places + 100 where booking_id = ${bookingId}
          returning service_id, starts_at
        )
        update slot_counter c set used = c.used + 100 from taken t
        where c.service_id = t.service_id and c.starts_at = t.starts_at`,
  },
  {
    constraint: 'fee_entry_one_accrual',
    drop: 'drop index fee_entry_one_accrual',
    alsoEnforcedBy: 'the row lock and the compare-and-set of the step that confirms',
    violate: (db, { bookingId }) =>
      query.execute(db)`
        insert into fee_entry (id, account_id, booking_id, kind, base_minor, pct, amount_minor,
          currency, is_demo, created_at)
        select ${randomUUIDv7()}, account_id, booking_id, kind, base_minor, pct, amount_minor,
          currency, is_demo,
          created_at
        from fee_entry where booking_id = ${bookingId}`,
  },
  {
    constraint: 'transition_pkey',
    drop: dropped('transition', 'transition_pkey'),
    alsoEnforcedBy: null,
    violate: (db, { bookingId }) =>
      query.execute(db)`
        insert into transition (booking_id, transition_id, result, at)
        select booking_id, transition_id, result, at from transition
          where booking_id = ${bookingId}`,
  },
  {
    constraint: 'event_pkey',
    drop: dropped('event', 'event_pkey'),
    alsoEnforcedBy: 'the lock on the counter row of the account',
    violate: (db, { bookingId }) =>
      query.execute(db)`
        insert into event (account_id, number, id, type, booking_id, transition_id, data,
          created_at)
        select account_id, number, ${randomUUIDv7()}, 'booking.noted', booking_id, transition_id,
          data, created_at
        from event where booking_id = ${bookingId} order by number desc limit 1`,
  },
  {
    constraint: 'idempotency_key_pkey',
    drop: dropped('idempotency_key', 'idempotency_key_pkey'),
    alsoEnforcedBy: null,
    violate: (db, { bookingId }) =>
      query.execute(db)`
        insert into idempotency_key (account_id, key, operation, subject_id, body_hash, created_at)
        select account_id, key, operation, subject_id, body_hash, created_at
        from idempotency_key where subject_id = ${bookingId}`,
  },
  {
    constraint: 'hold_counter_limit',
    drop: dropped('hold_counter', 'hold_counter_limit'),
    alsoEnforcedBy: 'the condition of the update that counts holds, evaluated on the locked row',
    violate: (db, { accountId }) =>
      query.execute(db)`
        insert into hold_counter (account_id, live) values (${accountId}, 11)
        on conflict (account_id) do update set live = 11`,
  },
  {
    constraint: 'booking_any_of_one',
    drop: 'drop index booking_any_of_one',
    alsoEnforcedBy: 'the order of the choices: each is tried only after the one before it failed',
    violate: (db, { bookingId }) => {
      const [groupId, secondId] = [randomUUIDv7(), randomUUIDv7()]
      return query.execute(db)`
        with pair as (
          insert into booking_group (id, account_id, kind, status, body_hash, door, answer,
            created_at, updated_at)
          select ${groupId}, account_id, 'any_of', 'confirmed', '', 'rest', '{}', now(), now()
          from booking where id = ${bookingId}
        ), asked as (
          insert into request (booking_id, account_id, operation, body_hash, door, venue_id,
            slot_time, party_size, answer, created_at)
          select ${secondId}, account_id, operation, '', door, venue_id, slot_time, party_size,
            answer, now()
          from request where booking_id = ${bookingId}
        ), second as (
          insert into booking (id, account_id, venue_id, service_id, rule_version, status,
            revision, slot_time, starts_at, ends_at, party_size, cancel_until, next_action_at,
            created_at, updated_at, group_id, group_kind)
          select ${secondId}, account_id, venue_id, service_id, rule_version, status, revision,
            slot_time, starts_at, ends_at, party_size, cancel_until, next_action_at, now(), now(),
            ${groupId}, 'any_of'
          from booking where id = ${bookingId}
        )
        update booking set group_id = ${groupId}, group_kind = 'any_of' where id = ${bookingId}`
    },
  },
]

export type ForbiddenWrites = {
  rejected: string[]
  /** constraints that did not reject the write */
  accepted: string[]
}

/** Runs each forbidden write against bookings of its own; every one must be rejected. */
export async function runForbiddenWrites(world: World): Promise<ForbiddenWrites> {
  const writes: ForbiddenWrites = { rejected: [], accepted: [] }
  for (const guard of guards) {
    const wantsPlaces = guard.constraint.startsWith('slot_counter')
    const start = await confirmedBooking(
      world,
      arenaKinds.find(({ places }) => places > 0 === wantsPlaces),
    )
    const rejectedBy = await guard.violate(world.db, start).then(
      () => undefined,
      (error: { constraint?: string }) => error.constraint ?? String(error),
    )
    if (rejectedBy === guard.constraint) writes.rejected.push(guard.constraint)
    else writes.accepted.push(guard.constraint)
  }
  return writes
}

async function confirmedBooking(world: World, kind: ArenaKind | undefined): Promise<BookingStart> {
  const arena = await addArena(world.db, kind ?? arenaKinds[0])
  const slotTime = arena.slotTimes[0] ?? ''
  const start = await request(world.db, arena, {
    slotTime,
    partySize: 1,
    accountId: await openAccount(world.db),
  })
  await decideBooking(world.db, start, stepDeps, new Date())
  return start
}
