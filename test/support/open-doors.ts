import { randomUUIDv7 } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { inject } from 'vitest'
import { insertAccount, insertKey } from '../../src/accounts/store/accounts.ts'
import { hashKey, newRawKey } from '../../src/accounts/store/key-secret.ts'
import { insertNetworkAgent } from '../../src/agents/store/agents.ts'
import { createFeed } from '../../src/agents/store/feed-watch.ts'
import type {
  BookingStart,
  ConfirmAnswer,
  SubmittedCommand,
} from '../../src/bookings/rules/booking-messages.ts'
import { noLimits } from '../../src/bookings/rules/limits.ts'
import { createTimelineSigner } from '../../src/bookings/steps/timeline-signer.ts'
import { upsertLimits } from '../../src/bookings/store/limits.ts'
import { type AppDeps, buildApp } from '../../src/compose/app.ts'
import { dryRunDeps } from '../../src/compose/booking-deps.ts'
import { openFacilitator } from '../../src/compose/open-facilitator.ts'
import { openPayments } from '../../src/compose/open-payments.ts'
import { settingsOf } from '../../src/compose/settings.ts'
import { termsOf } from '../../src/compose/terms.ts'
import { readConfig } from '../../src/config/config.ts'
import type { NetworkEngine } from '../../src/network.ts'
import { createBilling } from '../../src/payments/hooks.ts'
import type { PoolOptions } from '../../src/platform/database/pool.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createEgress } from '../../src/platform/http/egress.ts'
import { subscriberPolicy } from '../../src/platform/http/target.ts'
import { createSendMail } from '../../src/platform/mail/send-mail.ts'
import { createSealer, type Sealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { cachedLexicon } from '../../src/venues/search/lexicon.ts'
import type {
  EndpointSignal,
  EndpointStart,
  SentNow,
} from '../../src/webhooks/rules/endpoint-messages.ts'
import { createAwaitEvents } from '../../src/webhooks/store/await-events.ts'
import { createDatabase, TIMEOUT_MS } from './database.ts'
import { readableLog } from './lines.ts'

/** Settings that refuse nobody, however busy the test machine. */
export const patient = {
  NODE_ENV: 'test',
  MAX_EVENT_LOOP_DELAY_MS: '60000',
  REQUESTS_PER_SECOND: '100000',
  REQUESTS_IN_FLIGHT: '100000',
  BOOKINGS_PER_SECOND: '100000',
  BOOKINGS_IN_FLIGHT: '100000',
}

const PUBLIC_URL = 'http://127.0.0.1:3000'

export type Holder = { accountId: string; keyId: string; key: string }

export type Doors = {
  url: string
  app: FastifyInstance
  db: Pool
  engine: FakeEngine
  sealer: Sealer
  /** Everything logged so far, as text. */
  logged(): string
  openAccount(tier: 'free' | 'pro', requestsPerDay?: number): Promise<Holder>
  /** Ends waits and streams, like a stopping process that still answers. */
  drain(): void
  close(): Promise<void>
}

/** Records what it was asked to confirm, and always gives `answer`. */
type FakeEngine = NetworkEngine & {
  answer: ConfirmAnswer | 'pending'
  started: BookingStart[]
  told: BookingStart[]
  isDown: boolean
  waits: number[]
  commands: { start: BookingStart; command: SubmittedCommand }[]
  signals: { start: EndpointStart; signal: EndpointSignal }[]
  sentNow: SentNow | 'pending'
}

/** Belongs to rooms that can be deleted, so nothing checks that the engine provides it. */
const optional = {
  notifyEntry: async () => {},
  settleGroup: async () => 'pending' as const,
  cancelGroup: async () => 'pending' as const,
  resumeGroup: async () => false as const,
  resumeEntry: async () => false as const,
  resumeEndpoint: async () => false as const,
  beginNotice: async () => true,
  resumeNotice: async () => false as const,
  wakeNotice: async () => {},
  announceMoved: async () => {},
  notifyBookingTime: async () => {},
  notifyEndpointTime: async () => {},
  notifyGroupTime: async () => {},
  notifyEntryTime: async () => {},
  resumeClock: async () => false as const,
  advanceClock: async () => 'pending' as const,
}

function createFakeEngine(): FakeEngine {
  return {
    ...optional,
    answer: 'pending',
    started: [],
    told: [],
    isDown: false,
    waits: [],
    commands: [],
    signals: [],
    sentNow: 'pending',
    async confirm(start, waitSeconds) {
      this.started.push(start)
      this.waits.push(waitSeconds)
      return this.answer
    },
    async begin() {},
    async resume() {
      return false
    },
    async command(start, command) {
      if (this.isDown) throw new Error('Temporal is away')
      this.commands.push({ start, command })
      return 'pending'
    },
    async announceCommands() {},
    async venueResponded(start) {
      if (this.isDown) throw new Error('Temporal is away')
      this.told.push(start)
    },
    async signalEndpoint(start, signal) {
      if (this.isDown) throw new Error('Temporal is away')
      this.signals.push({ start, signal })
    },
    async announceDue() {},
    async retryDelivery() {
      return this.sentNow
    },
    async challengeEndpoint() {
      return this.sentNow
    },
    async queues() {
      if (this.isDown) throw new Error('Temporal is away')
      return []
    },
    async check() {},
    brokenRuns: async () => [],
    countRunning: async () => 0,
  }
}

/** The doors over real HTTP with a new database and a fake booking engine. */
export async function openDoors(
  overrides: Record<string, string> = {},
  reach: (databaseUrl: string) => Promise<string> = async (databaseUrl) => databaseUrl,
  publicUrl = PUBLIC_URL,
  limits: PoolOptions = {},
  appDeps: Partial<Pick<AppDeps, 'refusalDelayMs' | 'waits' | 'outbound' | 'sealer'>> = {},
): Promise<Doors> {
  const database = await createDatabase()
  const config = readConfig({ ...patient, OPEN_REQUESTS_PER_MINUTE: '10000', ...overrides })
  const options = { patienceMs: TIMEOUT_MS, ...limits }
  const db = openPool(await reach(database.url), 10, () => {}, undefined, options)
  const engine = createFakeEngine()
  const { log, text: logged } = readableLog()
  const timelineSigner = createTimelineSigner(parseSealingKeys(newSealingKey()) ?? [])
  const lexicon = cachedLexicon(db, 60_000)
  const closing = new AbortController()
  const awaitEvents = createAwaitEvents(db, closing.signal)
  const feed = createFeed(db, closing.signal)
  const { sealer = createSealer(parseSealingKeys(newSealingKey()) ?? []) } = appDeps
  const egress = createEgress(subscriberPolicy(config), sealer)
  const sendMail = createSendMail(config, db, log)
  const payments = await openPayments(config, { db, publicUrl, log })
  const shared = {
    payments,
    billing: payments && createBilling(payments),
    facilitator: openFacilitator(config, db)?.facilitator,
    dryRunDeps: dryRunDeps(termsOf(config)),
    lexicon,
    timelineSigner,
    egress,
    awaitEvents,
    feed,
    sendMail,
  }
  const settings = settingsOf(config, publicUrl)
  const services = { db, engine, settings, ...shared }
  await insertNetworkAgent(db, { publicUrl, at: new Date() })
  const app = await buildApp({ config, services, sealer, log, refusalDelayMs: 0, ...appDeps })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })

  return {
    url,
    app,
    db,
    engine,
    sealer,
    logged,
    openAccount: (tier, requestsPerDay) => openAccount(db, tier, requestsPerDay),
    drain: () => closing.abort(),
    async close() {
      closing.abort()
      await app.close()
      await db.end()
      await database.drop()
    },
  }
}

/** Doors for a test that only needs what an agent sees. */
export type PublicDoors = Pick<Doors, 'url' | 'db' | 'openAccount' | 'close'> & {
  publicUrl: string
}

/** The doors of the running network (`npm run cluster -- --test`), or new ones. */
export async function openPublicDoors(): Promise<PublicDoors> {
  const url = inject('baseUrl')
  if (!url) return { ...(await openDoors()), publicUrl: PUBLIC_URL }
  const db = openPool(inject('databaseUrl'), 2, () => {})
  return {
    url,
    publicUrl: url,
    db,
    openAccount: (tier, requestsPerDay) => openAccount(db, tier, requestsPerDay),
    close: () => db.end(),
  }
}

async function openAccount(
  db: Pool,
  tier: 'free' | 'pro',
  requestsPerDay?: number,
): Promise<Holder> {
  const at = new Date()
  const accountId = randomUUIDv7()
  await insertAccount(db, {
    id: accountId,
    name: 'test',
    tier,
    ...(requestsPerDay && { requestsPerDay }),
    at,
  })
  await upsertLimits(db, accountId, noLimits)
  return { accountId, ...(await addKey(db, accountId)) }
}

/** Adds a key to the account. */
export async function addKey(db: Pool, accountId: string): Promise<{ keyId: string; key: string }> {
  const key = newRawKey()
  const keyId = randomUUIDv7()
  const hash = hashKey(key)
  await insertKey(db, {
    id: keyId,
    accountId,
    name: 'test',
    hash,
    hint: key.slice(-4),
    at: new Date(),
  })
  return { keyId, key }
}

/** How a challenge of the doors says where to sign in (RFC 9728, 5.1). */
export const signIn = (path: '/mcp' | '/api', scope = 'bookings') =>
  `resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource${path}", scope="${scope}"`

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** The body of a response, for assertions on single fields. */
export const jsonOf = async (response: Response): Promise<any> => response.json()

/** Sends one A2A message. */
export async function postEnvelope(
  url: string,
  key: string | null,
  body: unknown,
): Promise<{ status: number; headers: Headers; body: any }> {
  const response = await fetch(`${url}/a2a/v1`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && bearer(key)) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: await jsonOf(response) }
}
