import { afterAll, beforeAll, expect, test } from 'vitest'
import { invoiceAndPruneAccounts } from '../../src/accounts/steps/invoice-and-prune.ts'
import { eraseOldKeys } from '../../src/bookings/steps/sweep.ts'
import { createLocalProvider } from '../../src/payments/providers/local.ts'
import { collectPayments } from '../../src/payments/steps/collect.ts'
import { countFailingRows } from '../../src/platform/database/failing-rows.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'
import { showFailing } from '../../src/platform/telemetry/pass-metrics.ts'
import { openBrowser } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

const log = createLog('silent')
const at = new Date()

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
  await doors.db.query(`
    create function poison() returns trigger language plpgsql as
      $$ begin raise exception 'a poisoned row'; end $$`)
})
afterAll(() => doors?.close())

const prune = () => invoiceAndPruneAccounts({ db: doors.db, log }, 4900, at)
const eraseKeys = () => eraseOldKeys({ db: doors.db, log }, at)
const collect = () => {
  const provider = createLocalProvider(doors.db, '', { isOfSandbox: false })
  return collectPayments({ db: doors.db, log, provider, publicUrl: '', proMonthlyMinor: 4900 }, at)
}

type Step = {
  table: string
  /** three rows that are due, of developer $1 and account $2; n is 1, 2 or 3 */
  rows: string
  /** which of them cannot be erased */
  poisoned: string
  pass?: () => Promise<unknown>
}

const hash = (column: string) => `old.${column} = sha256('1')`
const steps: Record<string, Step> = {
  'old-calls': {
    table: 'request_log (account_id, at, request_id, door, operation, code, ms, calls)',
    rows: `$2, now() - interval '8 d', gen_random_uuid(), 'rest', 'findSlots', 'ok', n, 1`,
    poisoned: 'old.ms = 1',
  },
  'old-counts': {
    table: 'usage_day (account_id, day, code, calls)',
    rows: `$2, now() - interval '500 d', 'ok' || n, n`,
    poisoned: 'old.calls = 1',
  },
  'ended-sessions': {
    table:
      'developer_session (id, developer_id, token_hash, device, created_at, seen_at, expires_at)',
    rows: `gen_random_uuid(), $1, sha256(n::text::bytea), 'd' || n, now(), now(),
      now() - interval '1 h'`,
    poisoned: `old.device = 'd1'`,
  },
  'ended-tokens': {
    table: 'mailed_token (hash, developer_id, purpose, created_at, used_at, expires_at)',
    rows: `sha256(n::text::bytea), $1, 'verify_email', now(), now(), now() - interval '1 h'`,
    poisoned: hash('hash'),
  },
  'old-places': {
    table: 'sign_in_place (developer_id, place, seen_at)',
    rows: `$1, sha256(n::text::bytea), now() - interval '1000 d'`,
    poisoned: hash('place'),
  },
  'ended-invitations': {
    table: 'invitation (id, account_id, email, role, token_hash, created_at, expires_at)',
    rows: `gen_random_uuid(), $2, 'n' || n || '@example.com', 'owner', sha256(n::text::bytea),
      now(), now() - interval '60 d'`,
    poisoned: hash('token_hash'),
  },
  'ended-throttles': {
    table: 'try_window (subject, tries, ends_at)',
    rows: `sha256(n::text::bytea), 1, now() - interval '1 h'`,
    poisoned: hash('subject'),
  },
  'lapsed-names': {
    table: 'agent_name (name, account_id, is_registered, used_at)',
    rows: `'name ' || n, $2, false, now() - interval '31 d'`,
    poisoned: `old.name = 'name 1'`,
  },
  'old-mails': {
    table: 'mail (id, recipient, subject, body, created_at)',
    rows: `gen_random_uuid(), 'one@example.com', 's' || n, 'b', now() - interval '8 d'`,
    poisoned: `old.subject = 's1'`,
  },
  'old-keys': {
    table: 'used_key (account_id, key, operation, subject_id, body_hash, created_at)',
    rows: `$2, 'key ' || n, 'confirm', gen_random_uuid(), sha256('1'), now() - interval '31 d'`,
    poisoned: `old.key = 'key 1'`,
    pass: eraseKeys,
  },
  'provider-events': {
    table: 'provider_event (provider, id, type, received_at)',
    rows: `'local', n::text, 'paid', now() - interval '61 d'`,
    poisoned: `old.id = '1'`,
    pass: collect,
  },
}

const failing = async () =>
  (await doors.db.query('select step, error, tries from failing_row order by step')).rows

const left = async (table: string, condition: string) => {
  const where = condition.replaceAll('old.', '')
  const text = `select count(*)::int as due, count(*) filter (where ${where})::int as poisoned
    from ${table}`
  return (await doors.db.query(text)).rows[0]
}

test.each(Object.entries(steps))(
  '%s erases all rows but the one that fails, which operators see until it is gone',
  async (step, { table: into, rows, poisoned, pass = prune }) => {
    const [table = ''] = into.split(' ')
    const { developerId, accountId } = await openBrowser(doors)
    await doors.db.query(`delete from ${table}`)
    await doors.db.query(
      `insert into ${into} select ${rows} from generate_series(1, 3) n,
        (select $1::uuid, $2::uuid) as of_them`,
      [developerId, accountId],
    )
    await doors.db.query(`
      create trigger poison before delete on ${table} for each row
      when (${poisoned}) execute function poison()`)
    await pass()
    expect(await left(table, poisoned)).toEqual({ due: 1, poisoned: 1 })
    expect(await failing()).toEqual([{ step, error: 'a poisoned row', tries: 1 }])
    await doors.db.query(`drop trigger poison on ${table}`)
    await pass()
    expect(await left(table, poisoned)).toEqual({ due: 0, poisoned: 0 })
    expect(await failing()).toEqual([])
  },
)

test('an account whose months cannot be closed keeps no other from its invoice', async () => {
  const accounts = await Promise.all([1, 2, 3].map(() => openBrowser(doors)))
  const ids = accounts.map(({ accountId }) => accountId).toSorted()
  await doors.db.query('update account set invoiced_until = null where id = any($1)', [ids])
  await doors.db.query(`
    create trigger poison before update of invoiced_until on account for each row
    when (old.id = '${ids[0]}') execute function poison()`)
  await doors.db.query(
    `insert into try_window (subject, tries, ends_at)
     values (sha256('closing'), 1, now() - interval '1 h')`,
  )
  await prune()
  const { rows } = await doors.db.query(
    'select id from account where id = any($1) and invoiced_until is null',
    [ids],
  )
  expect(rows).toEqual([{ id: ids[0] }])
  expect(await left('try_window', `old.subject = sha256('closing')`)).toMatchObject({ poisoned: 0 })

  const operator = await openBrowser(doors, { isOperator: true })
  const { html } = await operator.get('/dashboard/operators/failing')
  expect(html).toContain(ids[0])
  expect(html).toContain('a poisoned row')
  const metrics = createMetrics()
  showFailing(metrics, () => countFailingRows(doors.db))
  expect(await metrics.text()).toMatch(/failing_rows\{step="close-months"[^}]*\} 1\n/)

  await doors.db.query('drop trigger poison on account')
  await prune()
  expect(await failing()).toEqual([])
})
