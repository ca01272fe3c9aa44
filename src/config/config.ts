import { z } from 'zod'
import { liveKeyPattern } from '../base/ids.ts'
import { workerQueues } from '../base/task-queues.ts'
import { whatsAppFaults } from '../notices/rules/whatsapp-settings.ts'
import { paymentFaults } from '../payments/rules/collection.ts'
import { poolers } from '../platform/database/pooler.ts'
import { howToMakeKey, parseSealingKeys } from '../platform/sealing/sealing-keys.ts'
import { readTemporalProfile, type TemporalAccess } from '../platform/temporal/access.ts'
import type { EngineAddress } from '../platform/temporal/connect.ts'
import { MAX_ENDPOINTS, USUAL_ENDPOINTS } from '../webhooks/rules/limits.ts'
import {
  type Environment,
  missingMode,
  publicOutsideProduction,
  shareKey,
  unknownProxy,
} from './unsafe-settings.ts'
import { checkX402, x402Variables } from './x402-variables.ts'

const number = z.coerce.number('must be a number')
const port = number.int().min(1).max(65535)
const positive = number.int().positive()

const keys = z.string().transform((text, ctx) => {
  const parsed = parseSealingKeys(text)
  if (parsed) return parsed
  ctx.addIssue(`must be id:base64-of-32-bytes[,id2:…]; ${howToMakeKey}`)
  return z.NEVER
})

const schema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().default('.data'),
  DEMO: z.enum(['venues', 'none']).default('venues'),
  DATABASE_URL: z.string().startsWith('postgres').optional(),
  DATABASE_POOL: positive.default(10),
  DATABASE_POOLER: z.enum(poolers).default('none'),
  DATABASE_WAITERS: positive.default(500),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^:/]+:\d+$/, 'must be host:port')
    .optional(),
  TEMPORAL_NAMESPACE: z.string().default('venue-network'),
  TEMPORAL_DEPLOYMENT_NAME: z
    .string()
    .regex(/^[^:.]+$/, 'must contain neither colon nor dot')
    .default('venue-network'),
  TEMPORAL_WORKER_BUILD_ID: z
    .string()
    .regex(/^[^:]+$/, 'must not contain a colon')
    .optional(),
  TEMPORAL_UI_URL: z.url({ protocol: /^https?$/ }).optional(),
  TEMPORAL_CLI: z.string().optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((list) => list.split(',').filter(Boolean)),
  FREE_REQUESTS_PER_DAY: positive.default(100),
  PRO_REQUESTS_PER_DAY: positive.default(10_000),
  TEST_REQUESTS_PER_DAY: positive.default(5_000),
  PRO_MONTHLY_USD: positive.default(49),
  PRO_UPGRADE: z.enum(['self', 'operator']).optional(),
  PAYMENTS: z.enum(['none', 'local', 'stripe']).optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(test|live)_\w+$/, 'must be sk_test_…, sk_live_…, rk_test_… or rk_live_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z.string().startsWith('whsec_').optional(),
  STRIPE_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  FEE_PCT: number.min(0).max(100).multipleOf(0.01).default(2.5),
  OPEN_REQUESTS_PER_MINUTE: positive.default(120),
  BOOKING_FORM_KEY: z
    .string()
    .regex(liveKeyPattern, 'must be an API key of live mode, service_live_…')
    .optional(),
  BOOKING_FORM_PER_ADDRESS: positive.default(10),
  BOOKING_FORM_PER_GUEST: positive.default(6),
  BOOKING_FORM_PER_VENUE: positive.default(40),
  REQUESTS_PER_SECOND: positive.default(50),
  REQUESTS_IN_FLIGHT: positive.default(50),
  BOOKINGS_PER_SECOND: positive.default(10),
  BOOKINGS_IN_FLIGHT: positive.default(10),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((list) => list.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z
    .string()
    .max(320)
    .regex(/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/, 'must be an address, or a name with <address>')
    .optional(),
  WHATSAPP_PHONE_NUMBER_ID: z.string().regex(/^\d+$/, 'must be the id of the number').optional(),
  WHATSAPP_TOKEN: z.string().optional(),
  WHATSAPP_APP_SECRET: z.string().optional(),
  WHATSAPP_VERIFY_TOKEN: z.string().min(16, 'must have 16 characters').optional(),
  WHATSAPP_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  WEB_PUSH_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be a private key of `npx web-push generate-vapid-keys`')
    .optional(),
  CONTACT_EMAIL: z.email().optional(),
  SOURCE_URL: z.url({ protocol: /^https?$/ }).optional(),
  LEGAL_DIR: z.string().optional(),
  OPENAI_APPS_CHALLENGE: z.string().optional(),
  MCP_REGISTRY_AUTH: z.string().startsWith('v=MCPv1; k=').optional(),
  COMPLETION_GRACE_MINUTES: number.int().min(0).default(15),
  VENUE_ANSWER_MINUTES: number.positive().max(1440).default(15),
  REQUEST_ANSWER_MINUTES: number.positive().max(1440).default(15),
  OFFER_ANSWER_MINUTES: number.positive().max(1440).default(30),
  LIVE_BOOKINGS: positive.default(100),
  LIVE_BOOKINGS_PER_VENUE_DAY: positive.default(6),
  WATCH_HOLD_SECONDS: positive.max(86_400).default(900),
  ENDPOINTS_PER_ACCOUNT: positive.max(MAX_ENDPOINTS).default(USUAL_ENDPOINTS),
  WEBHOOK_HELD_DAYS: positive.max(3650).default(30),
  WEBHOOK_RETENTION_DAYS: positive.max(3650).default(30),
  HISTORY_RETENTION_DAYS: positive.min(60).max(3650).default(400),
  WORKER_QUEUES: z
    .string()
    .default(workerQueues.join())
    .transform((list) => list.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.enum(workerQueues)).min(1)),
  WORKFLOW_CACHE: positive.default(1_000),
  WORKFLOW_SLOTS: positive.min(2).default(60),
  WORKFLOW_POLLERS: positive.min(2).default(10),
  WORKFLOW_STICKY_SECONDS: positive.default(10),
  OAUTH_ACCESS_MINUTES: positive.max(1440).default(15),
  OAUTH_REFRESH_DAYS: positive.max(3650).default(60),
  OAUTH_REGISTRATIONS_PER_DAY: positive.default(100),
  MCP_MAX_SESSIONS: positive.default(500),
  MCP_IDLE_SECONDS: positive.default(900),
  FEED_MAX_STREAMS: positive.default(200),
  FEED_HEARTBEAT_SECONDS: positive.default(15),
  OUTBOUND_ALLOW: z
    .string()
    .default('')
    .transform((list) =>
      list
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    )
    .pipe(z.array(z.string().regex(/^(\[[0-9a-f:]+\]|[a-z0-9._-]+):\d+$/, 'must be host:port'))),
  OUTBOUND_SOCKETS: positive.default(1000),
  SECRETS_KEY: keys.optional(),
  TIMELINE_KEY: keys.optional(),
  DRAIN_SECONDS: number.int().min(0).max(300).default(0),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  MAX_EVENT_LOOP_DELAY_MS: positive.default(1_000),
  MAX_HEAP_MB: positive.optional(),
  MAX_RSS_MB: positive.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_SERVICE_NAME: z.string().default('venue-network'),
  OTEL_TRACES_SAMPLER_ARG: number.min(0).max(1).default(1),
  TRUST_TRACEPARENT: z.stringbool().default(false),
  ...x402Variables,
})

export type Config = z.infer<typeof schema> & { temporal: TemporalAccess }
export const configVariables = Object.keys(schema.shape)
/** A configuration with both servers; `npm start` fills in its local ones. */
export type RunConfig = Config & { DATABASE_URL: string; TEMPORAL_ADDRESS: string }

const noSender = { path: ['MAIL_FROM'], message: 'must be given with SMTP_URL' }
const sameKey = { path: ['TIMELINE_KEY'], message: 'must not be a key of SECRETS_KEY' }

/** What the given variables lack for a process; false where nothing is wrong. */
type Needs = (given: Environment) => (string | false | undefined)[]

/** Reads the environment; throws a single error that lists every problem. */
export function readConfig(env: Environment = process.env, needs: Needs = () => []): Config {
  const present = presentVariables(env)
  const { address, namespace, access } = readTemporalProfile(present)
  const given = {
    ...present,
    ...(address && { TEMPORAL_ADDRESS: address }),
    ...(namespace && { TEMPORAL_NAMESPACE: namespace }),
  }
  const rules = schema
    .refine(({ SMTP_URL, MAIL_FROM }) => !SMTP_URL || MAIL_FROM !== undefined, noSender)
    .refine(({ SECRETS_KEY, TIMELINE_KEY }) => !shareKey(SECRETS_KEY, TIMELINE_KEY), sameKey)
    .superRefine(checkX402)
    .superRefine((variables, ctx) => {
      const faults = [...paymentFaults(variables), ...whatsAppFaults(variables)]
      for (const fault of faults) ctx.addIssue({ code: 'custom', ...fault })
    })
  const result = rules.safeParse(given)
  const missing = needs(given).filter(Boolean)
  if (result.success && missing.length === 0) return { ...result.data, temporal: access }
  const faults = result.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  const problems = [...missing, ...(faults ?? [])].map((problem) => `  ${problem}`)
  throw new Error(`The configuration is not usable:\n${problems.join('\n')}`)
}

export const missingSecretsKey = `SECRETS_KEY must be set in production; ${howToMakeKey}`
const timelineKeyRule = 'TIMELINE_KEY must be set for the API in production'
export const missingTimelineKey = `${timelineKeyRule}; ${howToMakeKey}`

const missingPublicUrl =
  'PUBLIC_URL must be set in production, to https://… or to a loopback address: links in emails ' +
  'and session cookies depend on it'
const missingServers =
  'DATABASE_URL and TEMPORAL_ADDRESS must be set (`npm start` brings both on one machine).'
const isLoopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/

/** The settings of `npm start`: in development it accepts x402 payments in test money. */
export const readStartConfig = (env: Environment = process.env): Config =>
  readConfig(
    env.NODE_ENV === 'production' ? env : { X402_FACILITATOR: 'local', ...presentVariables(env) },
    (given) => [publicOutsideProduction(given), unknownProxy(given)],
  )

const presentVariables = (env: Environment) =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => !!entry[1]))

/** The settings of a service on this machine; throws if it would be public outside production. */
export const readLocalConfig = (env: Environment = process.env): Config =>
  readConfig(env, (given) => [publicOutsideProduction(given)])

const runNeeds: Needs = (given) => {
  const { NODE_ENV, SECRETS_KEY, PUBLIC_URL = '', DATABASE_URL, TEMPORAL_ADDRESS } = given
  const isProduction = NODE_ENV === 'production'
  const isSafe = PUBLIC_URL.startsWith('https:') || isLoopback.test(PUBLIC_URL)
  return [
    !NODE_ENV && missingMode,
    publicOutsideProduction(given),
    isProduction && !SECRETS_KEY && missingSecretsKey,
    isProduction && !isSafe && missingPublicUrl,
    !(DATABASE_URL && TEMPORAL_ADDRESS) && missingServers,
  ]
}

/** Requires a mode, both servers' addresses and, in production, sealing key and public address. */
export const readRunConfig = (env?: Environment, needs = runNeeds): RunConfig =>
  readConfig(env, needs) as RunConfig

/** Requires what the API needs beyond that in production. */
export const readApiConfig = (env?: Environment): RunConfig =>
  readRunConfig(env, (given) => [
    ...runNeeds(given),
    given.NODE_ENV === 'production' && !given.TIMELINE_KEY && missingTimelineKey,
    unknownProxy(given),
  ])

/** The public address for clients and venues. */
export const publicUrlOf = ({ PUBLIC_URL, HOST, PORT }: Config): string =>
  PUBLIC_URL ?? `http://${HOST === '0.0.0.0' ? '127.0.0.1' : HOST}:${PORT}`

/** The workflow server's address and credentials. */
export const engineOf = (
  config: Pick<RunConfig, 'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE' | 'temporal'>,
): EngineAddress => ({
  address: config.TEMPORAL_ADDRESS,
  namespace: config.TEMPORAL_NAMESPACE,
  access: config.temporal,
})
