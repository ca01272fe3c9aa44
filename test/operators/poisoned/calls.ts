import { mailEndpointOwners } from '../../../src/accounts/steps/mail-endpoint-owners.ts'
import { updateVerified } from '../../../src/accounts/store/developers.ts'
import { openWork } from '../../../src/compose/parts.ts'
import { mirrorAvailability } from '../../../src/confirmation/steps/mirror-availability.ts'
import { connectorContext, upsertConnector } from '../../../src/confirmation/store/connectors.ts'
import { resumeAll } from '../../../src/contract/open-work.ts'
import type { passes } from '../../../src/platform/database/passes.ts'
import { OutboundError } from '../../../src/platform/http/failure.ts'
import { newSigningSecret } from '../../../src/platform/http/signature.ts'
import type { Mail } from '../../../src/platform/mail/send-mail.ts'
import { checkFailed } from '../../../src/x402/steps/send-refunds.ts'
import { insertBareBooking } from '../../support/bare-booking.ts'
import { insertEndpointRow, writeEvents } from '../../support/deliveries.ts'
import { openBrowser } from '../../support/developers.ts'
import { testVenues } from '../../support/no-test-venues.ts'
import { requestDaysAhead } from '../../support/requests.ts'
import { addPerson } from '../../support/venue-channels.ts'
import { type Case, dueIn, insertAlone, type World } from './world.ts'

const old = `now() - interval '40 d'`
const id = 'gen_random_uuid()'

const three = async <T>(make: () => Promise<T>): Promise<T[]> => [
  await make(),
  await make(),
  await make(),
]

/** Rows about which the sweep makes calls. */
const called =
  (pass: (typeof passes.sweep)[number], make: (world: World) => Promise<string[]>): Case =>
  async (world) => {
    const ids = await make(world)
    return { ids, poison: 'calls', run: world.sweep(pass), left: world.unhelped(ids) }
  }

const requests = async ({ db }: World) =>
  (await three(() => requestDaysAhead(db, { at: new Date(Date.now() - 600_000) }))).map(
    ({ bookingId }) => bookingId,
  )

const x402 = (accountId: string, state: string, more: string, values: string) => `
  insert into x402_payment (id, account_id, booking_id, network, payer, nonce, payload,
    payload_hash, requirements, requirements_hash, asset, amount, price_minor, currency, rate,
    valid_before, state, attempts, error, created_at, updated_at ${more})
  select i, '${accountId}', ${id}, 'eip155:84532', '0x' || repeat('a', 40),
    '0x' || repeat(replace(i::text, '-', ''), 2), jsonb_build_object('payload',
    jsonb_build_object('id', i)), '', '{}', '', 'usdc', 1, 1, 'USD', 1,
    ${old} + interval '10 min', '${state}', 1, 'none', ${old}, ${old} ${values}
  from (select ${id} as i from generate_series(1, 3)) as made`

export const calls = {
  bookings: called('bookings', requests),
  commands: called('commands', async (world) => {
    const ids = await requests(world)
    await world.db.query(
      `insert into command (id, booking_id, kind, input, door, created_at)
       select ${id}, unnest($1::uuid[]), 'amend', '{}', 'rest', ${old}`,
      [ids],
    )
    return ids
  }),
  responses: called('responses', async (world) => {
    const ids = await requests(world)
    await world.db.query(
      `insert into venue_response (booking_id, id, revision, status, answered_at, received_at)
       select unnest($1::uuid[]), 'said', 1, 'confirmed', ${old}, ${old}`,
      [ids],
    )
    return ids
  }),
  groups: called('groups', async ({ db, doors }) => {
    const { accountId } = await doors.openAccount('pro')
    return insertAlone(
      db,
      `insert into booking_group (id, account_id, kind, status, body_hash, door, next_action_at,
         created_at, updated_at)
       select ${id}, '${accountId}', 'any_of', 'trying', '', 'rest', ${old}, ${old}, ${old}
       from generate_series(1, 3)`,
      'id',
    )
  }),
  'test-clocks': called('test-clocks', async ({ db, doors }) => {
    const accounts = await three(() => doors.openAccount('pro'))
    const ids = accounts.map(({ accountId }) => accountId)
    await db.query(
      `insert into test_clock (account_id, name, ahead_ms, created_at, advancing_to, advanced_to)
       select unnest($1::uuid[]), 'clock', 0, ${old}, now(), now()`,
      [ids],
    )
    return ids
  }),
  endpoints: called('endpoints', ({ db, doors }) =>
    three(async () => {
      const { accountId } = await doors.openAccount('free')
      const endpointId = await insertEndpointRow(db, accountId)
      await writeEvents(db, accountId, 1)
      await db.query(
        `update delivery set due_at = now() - interval '1 min' where endpoint_id = $1`,
        [endpointId],
      )
      return endpointId
    }),
  ),
  notices: called('notices', async ({ db, doors: { sealer } }) => {
    const { rows } = await db.query('select id from venue order by id limit 1')
    const { personId } = await addPerson(db, sealer, rows[0].id)
    return insertAlone(
      db,
      `insert into notice (id, person_id, kind, day, created_at, not_before, next_at)
       select ${id}, '${personId}', 'day.list', current_date + n, now(), ${old}, ${old}
       from generate_series(1, 3) n`,
      'id',
    )
  }),
  'day-lists': async ({ db, doors, sweep }) => {
    // An hour or two after midnight when the passes run.
    const hours = new Date().getUTCHours()
    const zone = hours > 12 ? `Etc/GMT-${24 - hours}` : `Etc/GMT+${hours}`
    const { accountId } = await doors.openAccount('free')
    await db.query(
      `insert into area select (jsonb_populate_record(a, jsonb_build_object('slug', 'listing',
         'timezone', $1::text))).* from area a limit 1`,
      [zone],
    )
    const { rows } = await db.query('select id from venue order by id desc limit 3')
    const ids: string[] = rows.map((row) => row.id)
    const people = new Map<string, string>()
    for (const venueId of ids) {
      const channel = { kind: 'mail', address: `${venueId}@example.com` } as const
      const { personId } = await addPerson(db, doors.sealer, venueId, channel)
      people.set(venueId, personId)
      const bookingId = await insertBareBooking(db, accountId)
      await db.query(
        `update booking set venue_id = $2, status = 'confirmed', next_action_at = now(),
           slot_time = (now() at time zone $3)::date + interval '43 h' where id = $1`,
        [bookingId, venueId, zone],
      )
    }
    await db.query(`update venue set area_slug = 'listing', list_at = '00:00' where id = any($1)`, [
      ids,
    ])
    const bad = people.get(ids[0] ?? '')
    return {
      ids,
      poison: {
        put: `create trigger poison before insert on notice for each row
          when (new.person_id = '${bad}') execute function poison()`,
        cure: 'drop trigger poison on notice',
      },
      run: sweep('day-lists'),
      async left() {
        const text = 'select person_id from notice where person_id = any($1)'
        const opened = await db.query(text, [[...people.values()]])
        const told = new Set(opened.rows.map((row) => row.person_id))
        return ids.filter((venueId) => !told.has(people.get(venueId)))
      },
    }
  },
  'x402-refunds': called('x402-refunds', async ({ db, doors }) => {
    const { accountId } = await doors.openAccount('free')
    const [more, values] = [', transaction, refund_reason', `, i::text, 'used_after_failure'`]
    return insertAlone(db, x402(accountId, 'refund_due', more, values), 'id')
  }),
  'card-fees': called('card-fees', async ({ db, doors }) => {
    const { accountId } = await doors.openAccount('free')
    const bookings = await three(() => insertBareBooking(db, accountId))
    return insertAlone(
      db,
      `insert into payment (id, account_id, purpose, due_id, amount_minor, currency, provider,
         provider_id, state, made_by, idempotency_key, created_at, updated_at)
       select ${id}, '${accountId}', 'booking', due_id::uuid, 1, 'USD', 'local', due_id,
         'authorized', 'customer', due_id, ${old}, ${old}
       from unnest(array['${bookings.join("', '")}']) as due_id`,
      'id',
    )
  }),
  'x402-failed': async (world) => {
    const { db, log, doors, facilitator, unhelped } = world
    const { accountId } = await doors.openAccount('free')
    const ids = await insertAlone(db, x402(accountId, 'failed', '', ''), 'id')
    const run = (at: Date) => checkFailed({ db, log, facilitator }, at)
    return { ids, poison: 'calls', run, left: unhelped(ids) }
  },
  'broken-runs': async (world) => {
    const bookings = await requests(world)
    const ids = bookings.map((one) => `booking/${one}`)
    world.broken.splice(0, Number.POSITIVE_INFINITY, ...ids)
    const [first = ''] = bookings
    await world.db.query(`create table if not exists lost_request as table request with no data`)
    return {
      ids,
      poison: {
        put: `with lost as (delete from request where booking_id = '${first}' returning *)
          insert into lost_request select * from lost`,
        cure: 'insert into request select * from lost_request',
      },
      run: world.sweep('broken-runs'),
      left: async () =>
        (await world.unhelped(bookings)()).map((bookingId) => `booking/${bookingId}`),
    }
  },
  'resume-all': async (world) => {
    const ids = await requests(world)
    const bookings = openWork.find(({ name }) => name === 'bookings')
    if (!bookings) throw new Error('no open work')
    return {
      ids,
      poison: 'calls',
      run: () => resumeAll(bookings, world, 1e6),
      left: world.unhelped(ids),
    }
  },
  replies: async (world) => {
    const { db, doors } = world
    const { accountId } = await doors.openAccount('pro')
    const ids = await three(() => insertBareBooking(db, accountId))
    await db.query(
      `update account set mode = 'test', sandbox_kind = 'default', live_account_id = $2
       where id = $1`,
      [accountId, (await doors.openAccount('pro')).accountId],
    )
    await db.query(
      `insert into sandbox_reply (booking_id, status, account_id, due_at)
       select unnest($1::uuid[]), 'confirmed', $2, ${old}`,
      [ids, accountId],
    )
    return {
      ids,
      poison: { table: 'sandbox_reply', before: 'delete', key: 'booking_id' },
      run: world.sweep('replies'),
      left: dueIn(db, 'sandbox_reply', 'booking_id', ids),
    }
  },
  mirror: async ({ db, doors: { sealer }, log }) => {
    const { rows } = await db.query('select id from venue order by id limit 3')
    const ids: string[] = rows.map((row) => row.id)
    for (const venueId of ids) {
      const secret = sealer.seal(newSigningSecret(), connectorContext(venueId))
      await upsertConnector(db, { venueId, url: 'https://venue.example/', secret }, new Date())
    }
    const send = () => Promise.reject(new OutboundError('connect'))
    const outbound = { send, close: async () => {} }
    const deps = { db, sealer, log, outbound, publicUrl: '', count: () => {}, testVenues }
    return {
      ids,
      poison: { table: 'connector', before: 'update', key: 'venue_id' },
      run: (at) => mirrorAvailability(deps, at, new AbortController().signal),
      left: dueIn(db, 'connector', 'venue_id', ids, 'failure is null'),
    }
  },
  'endpoint-mails': async ({ db, doors, log, call }) => {
    const owners = await three(async () => {
      const { accountId, developerId, email } = await openBrowser(doors)
      await updateVerified(db, developerId, new Date())
      const endpointId = await insertEndpointRow(db, accountId)
      await db.query(`update endpoint set failing_since = ${old} where id = $1`, [endpointId])
      return { accountId, email }
    })
    const ids = owners.map(({ accountId }) => accountId)
    const sendMail = async ({ to }: Mail) =>
      call(owners.find(({ email }) => email === to)?.accountId ?? '')
    const deps = { db, log, publicUrl: '', sendMail }
    const run = (at: Date) => mailEndpointOwners(deps, at)
    const left = async () => {
      const { rows } = await db.query(
        'select account_id from endpoint where account_id = any($1) and mailed_about is null',
        [ids],
      )
      return rows.map((row) => row.account_id)
    }
    return { ids, poison: 'calls', run, left }
  },
} satisfies Record<string, Case>
