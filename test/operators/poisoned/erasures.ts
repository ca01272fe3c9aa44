import { invoiceAndPruneAccounts } from '../../../src/accounts/steps/invoice-and-prune.ts'
import { eraseHistory } from '../../../src/bookings/steps/erase-history.ts'
import type { PassName } from '../../../src/platform/database/passes.ts'
import { expireHeld } from '../../../src/webhooks/sender/upkeep.ts'
import { eraseDeliveries } from '../../../src/webhooks/steps/erase-deliveries.ts'
import { insertEndpointRow } from '../../support/deliveries.ts'
import { type Case, dueIn, insertAlone, type Rows, type World } from './world.ts'

const DAYS = 30
const old = `now() - interval '40 d'`
const id = 'gen_random_uuid()'

const prune =
  ({ db, log }: World) =>
  (at: Date) =>
    invoiceAndPruneAccounts({ db, log }, 4900, at)
const eraseOld =
  ({ db, log }: World) =>
  (at: Date) =>
    eraseDeliveries({ db, log }, DAYS, at)
const eraseHistories =
  ({ db, log }: World) =>
  (at: Date) =>
    eraseHistory({ db, log }, DAYS, at)

/** Rows that are deleted; `values` are for each row, and `key` is how operators see it. */
const erased =
  (into: string, values: string, key: string, run: (world: World) => Rows['run']): Case =>
  async (world) => {
    const { db } = world
    const [table = ''] = into.split(' ')
    const insert = `insert into ${into} select ${values} from generate_series(1, 3) n`
    const ids = await insertAlone(db, insert, key)
    const poison = { table, before: 'delete', key } as const
    return { ids, poison, run: run(world), left: dueIn(db, table, key, ids) }
  }

/** One pass over the owners erases everything that belongs to accounts or services. */
const erasedOf =
  (owners: (world: World) => Promise<string[]>, table: string, key: string): ErasedOf =>
  (insert) =>
  async (world) => {
    const { db } = world
    const ids = await owners(world)
    for (const owner of ids) await insertAlone(db, insert(owner), key)
    const poison = { table, before: 'delete', key } as const
    return { ids, poison, run: eraseHistories(world), left: dueIn(db, table, key, ids) }
  }
type ErasedOf = (insert: (owner: string) => string) => Case

const threeAccounts = async ({ doors }: World) => {
  const opened = [1, 2, 3].map(() => doors.openAccount('free'))
  return (await Promise.all(opened)).map(({ accountId }) => accountId)
}
const threeServices = async ({ db }: World) =>
  (await db.query('select id from service order by id limit 3')).rows.map((row) => row.id)

export const erasures = {
  'old-calls': erased(
    'request_log (account_id, at, request_id, door, operation, code, ms, calls)',
    `${id}, ${old}, ${id}, 'rest', 'findSlots', 'ok', n, 1`,
    'account_id, request_id',
    prune,
  ),
  'old-counts': erased(
    'usage_day (account_id, day, code, calls)',
    `${id}, current_date - 500, 'ok', n`,
    'account_id, day, code',
    prune,
  ),
  'ended-sessions': erased(
    'developer_session (id, developer_id, token_hash, device, created_at, seen_at, expires_at)',
    `${id}, ${id}, sha256(${id}::text::bytea), 'one', ${old}, ${old}, ${old}`,
    'id',
    prune,
  ),
  'ended-tokens': erased(
    'mailed_token (hash, developer_id, purpose, created_at, expires_at)',
    `sha256(${id}::text::bytea), ${id}, 'verify_email', ${old}, ${old}`,
    'developer_id, purpose, created_at',
    prune,
  ),
  'old-places': erased(
    'sign_in_place (developer_id, place, seen_at)',
    `${id}, sha256(${id}::text::bytea), now() - interval '1000 d'`,
    'developer_id, seen_at',
    prune,
  ),
  'ended-invitations': erased(
    'invitation (id, account_id, email, role, invited_by, token_hash, created_at, expires_at)',
    `${id}, ${id}, 'n@example.com', 'owner', ${id}, sha256(${id}::text::bytea), ${old}, ${old}`,
    'id',
    prune,
  ),
  'ended-throttles': erased(
    'throttle_window (subject, tries, ends_at)',
    `sha256(${id}::text::bytea), 1, ${old}`,
    'subject',
    prune,
  ),
  'lapsed-names': erased(
    'agent_name (name, account_id, is_registered, used_at)',
    `${id}::text, ${id}, false, ${old}`,
    'account_id, used_at',
    prune,
  ),
  'old-mails': erased(
    'mail (id, recipient, subject, body, created_at)',
    `${id}, 'one@example.com', 's', 'b', ${old}`,
    'id',
    prune,
  ),
  'sent-mails': erased('sent_mail (id, sent_at)', `${id}, ${old}`, 'id', prune),
  'old-keys': erased(
    'idempotency_key (account_id, key, operation, subject_id, body_hash, created_at)',
    `${id}, ${id}::text, 'confirm', ${id}, '', ${old}`,
    'account_id, subject_id',
    ({ sweep }) => sweep('old-keys'),
  ),
  'guest-details': erased(
    'booking_guest (booking_id, name, erase_after)',
    `${id}, 'Ayu', ${old}`,
    'booking_id',
    ({ sweep }) => sweep('guest-details'),
  ),
  'old-test-calls': erased(
    'sandbox_call (booking_id, is_cancel, calls, first_at)',
    `${id}, false, 1, now() - interval '61 d'`,
    'booking_id, is_cancel',
    ({ sweep }) => sweep('old-test-calls'),
  ),
  'oauth-artifacts': erased(
    'oauth_artifact (id, kind, hash, payload, expires_at)',
    `${id}, 'Interaction', sha256(${id}::text::bytea), 'v2', ${old}`,
    'id',
    ({ sweep }) => sweep('oauth-artifacts'),
  ),
  'oauth-grants': erased(
    `oauth_grant (id, client_id, developer_id, member_account_id, account_id, scopes, resources,
       redirect_uri, client_hash, created_at)`,
    `${id}, ${id}, ${id}, ${id}, ${id}, '{}', '{x}', 'x:y', sha256(''), ${old}`,
    'id',
    ({ sweep }) => sweep('oauth-grants'),
  ),
  'old-notices': erased(
    'notice (id, person_id, kind, day, created_at, not_before, ended_at, ended_reason)',
    `${id}, ${id}, 'day.list', current_date, now() - interval '100 d', ${old}, ${old}, 'told'`,
    'id',
    ({ sweep }) => sweep('old-notices'),
  ),
  'old-channels': erased(
    `notice_channel (id, person_id, position, kind, address, address_digest, opted_in_at,
       opted_in_by, ended_at, ended_reason)`,
    `${id}, ${id}, 1, 'mail', 'v2', '', ${old}, 'person', ${old}, 'gone'`,
    'id',
    ({ sweep }) => sweep('old-channels'),
  ),
  'old-people': erased(
    'venue_person (id, venue_id, name, role, created_at, removed_at)',
    `${id}, ${id}, 'Wayan', 'staff', ${old}, ${old}`,
    'id',
    ({ sweep }) => sweep('old-people'),
  ),
  'oauth-clients': erased(
    'oauth_client (id, client_id, kind, metadata, created_at)',
    `${id}, ${id}, 'registered', '{}', ${old}`,
    'id',
    ({ sweep }) => sweep('oauth-clients'),
  ),
  'old-deliveries': erased(
    `delivery (id, endpoint_id, account_id, event_number, event_type, status, give_up_at,
       delivered_at, created_at, updated_at)`,
    `${id}, ${id}, ${id}, n, 'booking.held', 'delivered', ${old}, ${old}, ${old}, ${old}`,
    'id',
    eraseOld,
  ),
  'old-challenges': erased(
    'attempt (id, endpoint_id, number, cause, status, started_at, url, signed_with)',
    `${id}, ${id}, n, 'challenge', 'succeeded', ${old}, 'https://receiver.example', '{}'`,
    'id',
    eraseOld,
  ),
  'old-replays': erased(
    `replay (id, endpoint_id, account_id, status, filter, cursor, until_number, per_second,
       next_at, total, created_at, updated_at)`,
    `${id}, ${id}, ${id}, 'completed', '{}', 0, 0, 1, ${old}, 0, ${old}, ${old}`,
    'id',
    eraseOld,
  ),
  'old-endpoints': erased(
    `endpoint (id, account_id, url, event_types, status, challenge, created_at, updated_at,
       deleted_at)`,
    `${id}, ${id}, 'https://receiver.example', '{*}', 'disabled', 'c', ${old}, ${old}, ${old}`,
    'id',
    eraseOld,
  ),
  'old-endpoint-commands': erased(
    'endpoint_command (endpoint_id, id, name, at)',
    `${id}, ${id}::text, 'pause', ${old}`,
    'endpoint_id, at',
    eraseOld,
  ),
  history: erasedOf(
    threeAccounts,
    'request',
    'account_id',
  )(
    (account) => `
      insert into request (booking_id, account_id, operation, body_hash, door, venue_id, slot_time,
        party_size, answer, created_at, paid_by)
      select ${id}, '${account}', 'confirm', '', 'rest', ${id}, ${old}, 2, '{"refusal": {}}',
        ${old}, 'pro' from generate_series(1, 2)`,
  ),
  counters: erasedOf(
    threeServices,
    'slot_counter',
    'service_id',
  )(
    (service) => `
      insert into slot_counter (service_id, starts_at, cap, used)
      values ('${service}', ${old}, 1, 0)`,
  ),
  'held-deliveries': async ({ db, log, doors }) => {
    const { accountId } = await doors.openAccount('free')
    const endpointId = await insertEndpointRow(db, accountId, { status: 'paused' })
    const ids = await insertAlone(
      db,
      `insert into delivery (id, endpoint_id, account_id, event_number, event_type, status, due_at,
         give_up_at, created_at, updated_at)
       select ${id}, '${endpointId}', '${accountId}', n, 'booking.held', 'pending', ${old}, ${old},
         ${old}, ${old} from generate_series(1, 3) n`,
      'id',
    )
    return {
      ids,
      poison: { table: 'delivery', before: 'update', key: 'id' },
      run: (at) => expireHeld({ db, log }, DAYS, at),
      left: dueIn(db, 'delivery', 'id', ids, `status = 'pending'`),
    }
  },
  'pro-months': async (world) => {
    const { db } = world
    const ids = await threeAccounts(world)
    await db.query(`update account set tier = 'pro' where id = any($1)`, [ids])
    const lacks = 'not exists (select from plan_period i where i.account_id = account.id)'
    return {
      ids,
      poison: { table: 'plan_period', before: 'insert', key: 'account_id' },
      run: prune(world),
      left: dueIn(db, 'account', 'id', ids, lacks),
    }
  },
  'close-months': async (world) => {
    const ids = await threeAccounts(world)
    return {
      ids,
      poison: { table: 'account', before: 'update', key: 'id' },
      run: prune(world),
      left: dueIn(world.db, 'account', 'id', ids, 'invoiced_until is null'),
    }
  },
} satisfies Partial<Record<PassName, Case>>
