import { randomUUIDv7 } from 'node:crypto'
import { upsertInvitation } from '../../src/accounts/store/invitations.ts'
import { movePlan } from '../../src/accounts/store/plans.ts'
import { hashToken, newToken } from '../../src/accounts/store/token-secret.ts'
import { insertAgent } from '../../src/agents/store/agents.ts'
import { DAY_MS } from '../../src/base/durations.ts'
import { scopes } from '../../src/base/scopes.ts'
import { openBooking } from '../../src/bookings/steps/open-booking.ts'
import { closeMonthsOf } from '../../src/ledger/steps/close-months.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import { agentWith, findSlots } from './agent.ts'
import { openTestClock } from './clocks.ts'
import { writeEvents } from './deliveries.ts'
import { type Browser, openBrowser } from './developers.ts'
import { makeSigningKey } from './endpoints.ts'
import { addKey, type Doors } from './open-doors.ts'
import { eventually } from './programs.ts'
import { requestDaysAhead, writeRequest } from './requests.ts'
import { makeTraffic } from './traffic.ts'

/** One of everything that an account can have, by its name in an address or field. */
export type Things = {
  booking: string
  hold: string
  itinerary: string
  watch: string
  endpoint: string
  signingKey: string
  delivery: string
  replay: string
  event: string
  eventNumber: string
  key: string
  connection: string
  request: string
  agent: string
  session: string
  member: string
  invitation: string
  invoice: string
  clock: string
  due: string
  payment: string
}

/** An owner of one of everything, signed in, with a key that has all scopes. */
export type Owner = { accountId: string; browser: Browser; key: string; things: Things }

/** Opens an account with one of everything and `events` extra events; free texts have its id. */
export async function openOwner(doors: Doors, events = 0): Promise<Owner> {
  const { db } = doors
  const at = new Date()
  const browser = await openBrowser(doors, { tier: 'pro' })
  const { accountId } = browser
  const proMonthlyMinor = 2_000
  for (const to of ['free', 'pro'] as const) {
    await movePlan(db, { accountId, to, by: 'developer', proMonthlyMinor, at })
  }
  await closeMonthsOf(db, accountId, new Date(at.getTime() + 40 * DAY_MS))
  const [calling, spare] = [await addKey(db, accountId), await addKey(db, accountId)]
  await db.query('update api_key set scopes = $2, name = $3 where account_id = $1', [
    accountId,
    scopes,
    `key of ${accountId}`,
  ])

  const made = await makeTraffic(db, accountId)
  await writeEvents(db, accountId, events)
  await db.query(`update endpoint set url = $2, description = $3 where account_id = $1`, [
    accountId,
    `https://${accountId}.example/hooks`,
    `endpoint of ${accountId}`,
  ])
  const { keyId: signingKey } = await makeSigningKey(db, doors.sealer, made.endpointId, at)
  const asked = await requestDaysAhead(db, { purpose: 'hold', at })
  const hold = { ...asked, accountId, bookingId: randomUUIDv7() }
  await writeRequest(db, hold, at)
  const { answer, state } = await openBooking(db, hold, at)
  if (!state) throw new Error(JSON.stringify(answer))
  const watch = randomUUIDv7()
  await db.query(
    `insert into waitlist_entry (id, account_id, venue_id, slot_time, flex_minutes, party_size,
       earliest, latest, until, hold_seconds, status, queued_at, nth, door, created_at, updated_at)
     values ($1, $2, $3, $4, 0, $5, $6, $6, $6, 900, 'watching', $7, 1, 'rest', $7, $7)`,
    [watch, accountId, hold.venueId, hold.slotTime, hold.partySize, hold.startsAt, at],
  )

  const agent = `agent-of-${accountId}`
  const about = { description: `Agent of ${accountId}`, capabilities: [], version: '1.0.0' }
  const addresses = { a2a_url: null, mcp_url: null, homepage: null }
  await transaction(db, (tx) =>
    insertAgent(tx, accountId, { name: agent, ...about, ...addresses, visibility: 'private' }, at),
  )
  await upsertInvitation(db, {
    id: randomUUIDv7(),
    accountId,
    email: `invited-${accountId}@example.com`,
    role: 'billing',
    invitedBy: browser.developerId,
    tokenHash: hashToken(newToken()),
    at,
    expiresAt: new Date(at.getTime() + DAY_MS),
  })
  const { id: clock } = await openTestClock({
    url: doors.url,
    agent: agentWith(doors.url, accountId, calling.key),
  })
  await db.query(
    `insert into payment (id, account_id, purpose, due_id, amount_minor, currency, provider, state,
       reason, made_by, idempotency_key, created_at, updated_at)
     select $1, account_id, 'pro', id, amount_minor, currency, 'local', 'failed', 'card_declined',
       'customer', 'payment:' || id, $3, $3
     from plan_period where account_id = $2`,
    [randomUUIDv7(), accountId, at],
  )
  const one = async (text: string, ...values: unknown[]): Promise<string> =>
    (await db.query(text, values)).rows[0].id
  return {
    accountId,
    browser,
    key: calling.key,
    things: {
      booking: made.bookingId,
      hold: hold.bookingId,
      itinerary: await openItinerary(doors, accountId, calling),
      watch,
      endpoint: made.endpointId,
      signingKey,
      delivery: made.deliveryId,
      replay: made.replayId,
      event: await one(
        'select id from event where account_id = $1 order by number limit 1',
        accountId,
      ),
      eventNumber: await one(
        'select max(number)::text as id from event where account_id = $1',
        accountId,
      ),
      key: spare.keyId,
      connection: await connectAssistant(doors, browser),
      request: await one(
        'select request_id as id from request_log where account_id = $1',
        accountId,
      ),
      agent,
      session: await one(
        'select id from developer_session where developer_id = $1',
        browser.developerId,
      ),
      member: browser.developerId,
      invitation: await one('select id from invitation where account_id = $1', accountId),
      invoice: await one('select id from invoice where account_id = $1', accountId),
      clock,
      due: await one('select id from invoice where account_id = $1', accountId),
      payment: await one('select id from payment where account_id = $1', accountId),
    },
  }
}

/** Connects an assistant, as if the owner had allowed it and it had its tokens. */
async function connectAssistant({ db }: Doors, { accountId, developerId }: Browser) {
  const [client, grant] = [randomUUIDv7(), randomUUIDv7()]
  await db.query(
    `with client as (
       insert into oauth_client (id, client_id, kind, metadata, created_at)
       values ($1::uuid, 'registered-' || $3::uuid::text, 'registered', jsonb_build_object(
         'client_name', 'assistant of ' || $3::uuid::text, 'redirect_uris',
         jsonb_build_array('https://' || $3::uuid::text || '.example/back')), now())
     ), allowed as (
       insert into oauth_grant (id, client_id, developer_id, member_account_id, account_id, scopes,
         resources, redirect_uri, client_hash, created_at)
       values ($2::uuid, $1::uuid, $4::uuid, $3::uuid, $3::uuid, '{bookings}', '{/mcp}',
         'https://' || $3::uuid::text || '.example/back', sha256(''), now())
     )
     insert into oauth_artifact (id, kind, hash, grant_id, payload, expires_at)
     values ($2::uuid, 'RefreshToken', sha256($2::uuid::text::bytea), $2::uuid, '',
       now() + interval '1 day')`,
    [client, grant, accountId, developerId],
  )
  return grant
}

/** Like `openOwner`, but the account is the sandbox of a live account. */
export async function openSandboxOwner(
  doors: Doors,
  liveAccountId: string,
  events = 0,
): Promise<Owner> {
  const owner = await openOwner(doors, events)
  await doors.db.query(
    `update account set mode = 'test', live_account_id = $2, sandbox_kind = 'default'
     where id = $1`,
    [owner.accountId, liveAccountId],
  )
  return owner
}

/** Calls the doors, because only they write groups; waits until the call has been logged. */
async function openItinerary(
  { db, url }: Doors,
  accountId: string,
  { key }: { key: string },
): Promise<string> {
  const agent = agentWith(url, accountId, key)
  const parts = await findSlots(agent, 'spa', 2)
  const { body } = await agent.post('/api/itineraries', { parts, wait: 0 })
  await eventually('the calls are in the log', async () => {
    const { rows } = await db.query(
      `select from request_log join api_key k using (account_id)
       where account_id = $1 and operation = 'make itinerary' and k.last_used_at is not null`,
      [accountId],
    )
    return rows.length > 0
  })
  return body.itinerary.id
}

/** All rows of an account, by table. */
export async function rowsOf(
  { db }: Doors,
  { accountId, browser: { developerId } }: Owner,
): Promise<Record<string, string[]>> {
  const { rows: tables } = await db.query(
    `select table_name as name, column_name as by from information_schema.columns
     where table_schema = 'public' and column_name in ('account_id', 'developer_id')
     order by name, by`,
  )
  const found: Record<string, string[]> = {}
  for (const { name, by } of tables) {
    const { rows } = await db.query(
      `select to_jsonb(t)::text as row from ${name} t where ${by} = $1 order by row`,
      [by === 'account_id' ? accountId : developerId],
    )
    found[`${name} by ${by}`] = rows.map(({ row }) => row)
  }
  return found
}

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** What identifies an account in answers: its names, and every id in its rows except venues’. */
export async function marksOf(doors: Doors, owner: Owner): Promise<Set<string>> {
  const { rows } = await doors.db.query(
    'select id from venue union all select id from service union all select id from resource',
  )
  const shared = new Set(rows.map(({ id }) => id))
  const texts = Object.values(await rowsOf(doors, owner)).flat()
  const { eventNumber: _, ...things } = owner.things
  const ids = texts.flatMap((text) => text.match(uuids) ?? []).filter((id) => !shared.has(id))
  return new Set([...ids, ...Object.values(things)])
}
