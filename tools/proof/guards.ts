import { randomUUIDv7 } from 'node:crypto'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { execute, type Pool } from '../../src/platform/database/sql.ts'
import { stepDeps } from '../../test/support/terms.ts'
import { type ArenaKind, addArena, arenaKinds } from './arena.ts'
import { openAccount, request, type World } from './world.ts'

/** A constraint that a guarantee rests on. */
export type Guard = {
  constraint: string
  drop: string
  /**
   * what else in our own steps prevents the same, so that they break nothing when the constraint is
   * gone
   */
  also: string | null
  /** A writer that ignores every rule but this one; what it does must be refused. */
  break(db: Pool, start: BookingStart): Promise<unknown>
}

const dropped = (table: string, constraint: string) =>
  `alter table ${table} drop constraint ${constraint} cascade`

export const guards: readonly Guard[] = [
  {
    constraint: 'allocation_no_overlap',
    drop: dropped('allocation', 'allocation_no_overlap'),
    also: null,
    break: (db, { bookingId }) =>
      execute(db)`
        insert into allocation (booking_id, offering_id, resource_id, during, active)
        select booking_id, offering_id, resource_id,
          tstzrange(lower(during), upper(during) - interval '1 minute'), true
        from allocation where booking_id = ${bookingId}`,
  },
  {
    constraint: 'slot_counter_not_oversold',
    drop: dropped('slot_counter', 'slot_counter_not_oversold'),
    also: 'the condition of the update that takes places, which its row lock makes exact',
    break: (db, { bookingId }) =>
      execute(db)`
        with taken as (
          update slot_take set places = places + 100 where booking_id = ${bookingId}
          returning offering_id, starts_at
        )
        update slot_counter c set used = c.used + 100 from taken t
        where c.offering_id = t.offering_id and c.starts_at = t.starts_at`,
  },
  {
    constraint: 'fee_entry_one_accrual',
    drop: 'drop index fee_entry_one_accrual',
    also: 'the row lock and the compare-and-set of the step that confirms',
    break: (db, { bookingId }) =>
      execute(db)`
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
    also: null,
    break: (db, { bookingId }) =>
      execute(db)`
        insert into transition (booking_id, transition_id, result, at)
        select booking_id, transition_id, result, at from transition
          where booking_id = ${bookingId}`,
  },
  {
    constraint: 'event_pkey',
    drop: dropped('event', 'event_pkey'),
    also: 'the lock on the counter row of the account',
    break: (db, { bookingId }) =>
      execute(db)`
        insert into event (account_id, number, id, type, booking_id, transition_id, data,
          created_at)
        select account_id, number, ${randomUUIDv7()}, 'booking.noted', booking_id, transition_id,
          data, created_at
        from event where booking_id = ${bookingId} order by number desc limit 1`,
  },
  {
    constraint: 'used_key_pkey',
    drop: dropped('used_key', 'used_key_pkey'),
    also: null,
    break: (db, { bookingId }) =>
      execute(db)`
        insert into used_key (account_id, key, operation, subject_id, body_hash, created_at)
        select account_id, key, operation, subject_id, body_hash, created_at
        from used_key where subject_id = ${bookingId}`,
  },
  {
    constraint: 'hold_counter_limit',
    drop: dropped('hold_counter', 'hold_counter_limit'),
    also: 'the condition of the update that counts holds, which its row lock makes exact',
    break: (db, { accountId }) =>
      execute(db)`
        insert into hold_counter (account_id, live) values (${accountId}, 11)
        on conflict (account_id) do update set live = 11`,
  },
  {
    constraint: 'booking_any_of_one',
    drop: 'drop index booking_any_of_one',
    also: 'the order of the choices: the next is tried when the one before has failed',
    break: (db, { bookingId }) => {
      const [groupId, secondId] = [randomUUIDv7(), randomUUIDv7()]
      return execute(db)`
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
          insert into booking (id, account_id, venue_id, offering_id, rule_version, status,
            revision, slot_time, starts_at, ends_at, party_size, cancel_until, next_action_at,
            created_at, updated_at, group_id, group_kind)
          select ${secondId}, account_id, venue_id, offering_id, rule_version, status, revision,
            slot_time, starts_at, ends_at, party_size, cancel_until, next_action_at, now(), now(),
            ${groupId}, 'any_of'
          from booking where id = ${bookingId}
        )
        update booking set group_id = ${groupId}, group_kind = 'any_of' where id = ${bookingId}`
    },
  },
]

export type Refusals = {
  refused: string[]
  /** constraints that let a careless writer through */
  passed: string[]
}

/** Lets every careless writer do its worst to bookings of its own, at places of its own. */
export async function beCareless(world: World): Promise<Refusals> {
  const refusals: Refusals = { refused: [], passed: [] }
  for (const guard of guards) {
    const wantsPlaces = guard.constraint.startsWith('slot_counter')
    const start = await confirmed(
      world,
      arenaKinds.find(({ places }) => places > 0 === wantsPlaces),
    )
    const refusedBy = await guard.break(world.db, start).then(
      () => undefined,
      (error: { constraint?: string }) => error.constraint ?? String(error),
    )
    if (refusedBy === guard.constraint) refusals.refused.push(guard.constraint)
    else refusals.passed.push(guard.constraint)
  }
  return refusals
}

async function confirmed(world: World, kind: ArenaKind | undefined): Promise<BookingStart> {
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
