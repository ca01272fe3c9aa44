import type { z } from 'zod'
import { type OfAccount, timeOf } from '../base/account-time.ts'
import type { Actor, AuditAction } from '../base/audit-actions.ts'
import type { ErrorCode } from '../base/error-catalogue.ts'
import { refuse } from '../base/errors.ts'
import type { AccountPart } from '../base/roles.ts'
import { TEST_SLUG } from '../base/sandbox.ts'
import type { Scope } from '../base/scopes.ts'
import type { Limited } from '../base/throttle.ts'
import type { Pool } from '../platform/database/sql.ts'
import type { Egress } from '../platform/http/egress.ts'
import type { SendMail } from '../platform/mail/send-mail.ts'
import { requireMember } from './members.ts'

export type Tier = 'open' | 'free' | 'pro'
/** `test`: a sandbox, which sees test venues only and meets nothing that is live. */
export type AccountMode = 'live' | 'test'
export type Account = {
  id: string
  name: string
  tier: 'free' | 'pro'
  mode: AccountMode
  /** whose sandbox it is; null for a live account */
  live_account_id?: string | null
  /** how far its test clock is ahead of real time; null without one */
  clock_ahead_ms?: number | null
}

/** An account as the input of a workflow has it. */
export const ofAccount = ({ id, live_account_id }: Limited): OfAccount => ({
  accountId: id,
  ...(live_account_id && { liveAccountId: live_account_id }),
})

export type DoorName = 'rest' | 'a2a' | 'mcp' | 'dashboard' | 'web' | 'guest'

/** What operations of every room read from the configuration. */
export type Settings = {
  publicUrl: string
  feePct: number
  /** whether mails reach anybody: a mail server, or the mailbox of a development machine */
  sendsMail: boolean
  /** endpoints and public agents need a verified address */
  endpointsNeedVerifiedEmail: boolean
}

/** What operations of every room use. */
export type Services = {
  db: Pool
  egress: Egress
  sendMail: SendMail
  settings: Settings
}

/**
 * Who calls, when, and through which door. `S` is what the operation uses besides `Services`: the
 * rooms that it belongs to provide that (`services` and `engine` of their `room.ts`).
 */
export type Context<S = unknown> = Services &
  S & {
    /** null for calls without a key, which only open operations take */
    account: Account | null
    /** The key or the developer, for the audit log; no change is recorded without one. */
    actor?: Actor | null
    /** What the key may do besides reading; a signed-in developer has all scopes. */
    scopes: readonly Scope[]
    door: DoorName
    /** where the call came from, as limits count it: for IPv6 the network of a subscriber */
    address: string
    from: string | null
    requestId: string
    at: Date
    /** What was sent in another form, as it was understood; operations add what only they know. */
    understood?: Record<string, unknown>
    /** The x402 payment that the call carries, as its door decoded it. */
    payment?: unknown
    /** What the payment is for, as its door names it; without one the REST route. */
    resource?: string | undefined
    /** Counts work as so many calls more, of those that the account may make a second. */
    charge?: ((calls: number) => void) | undefined
  }

/**
 * One capability, the same at every door. The catalogue may set another `tier` for a door. `S` is
 * what it uses besides `Services`; an `Operation` without it can be described, not run.
 */
export type Operation<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodObject = z.ZodObject,
  S = never,
> = {
  name: string
  summary: string
  description: string
  tier: Tier
  scope?: Scope
  /** The part of the account that a member's role must allow, unless it is named like the scope. */
  part?: AccountPart
  /** It changes that part: what is audited or needs the scope `bookings` always does. */
  changes?: true
  /** It only reads, and its answer may be a few seconds old: a replica can give it. */
  mayLag?: true
  /** Where payments by x402 are on, callers below its tier may pay for a call. */
  payable?: true
  /** It changes the account, and records this in the audit log in the same transaction. */
  audit?: AuditAction
  input: I
  output: O
  errors: readonly ErrorCode[]
  run(ctx: Context<S>, input: z.output<I>): Promise<z.input<O>>
  /** Replaces `run` for an operation that caches its answers parsed and serialized. */
  runPrepared?(ctx: Context<S>, input: z.output<I>): Promise<PreparedOutput<z.output<O>>>
  /** Types only: whoever runs it must provide `S`. */
  uses?: (services: S) => void
}

/** An output that has passed its schema, and its JSON. */
export type PreparedOutput<O> = { output: O; json: Buffer }

/** Passes an output through its schema and serializes it. */
export function prepareOutput<O extends z.ZodObject>(
  schema: O,
  result: z.input<O>,
): PreparedOutput<z.output<O>> {
  const output = schema.parse(result)
  return { output, json: Buffer.from(JSON.stringify(output)) }
}

/** Infers the types of input and output, and asks for the role of a member who calls. */
export function defineOperation<I extends z.ZodObject, O extends z.ZodObject, S = unknown>(
  operation: Operation<I, O, S>,
): Operation<I, O, S> {
  const { scope, part = scope, audit, changes = scope === 'bookings', run } = operation
  if (!part) return operation
  const need = { part, what: audit || changes ? 'change' : 'see' } as const
  return {
    ...operation,
    async run(ctx, input) {
      await requireMember(ctx.db, ctx, need)
      return run(ctx, input)
    },
  }
}

type Described = Pick<Operation, 'name' | 'summary' | 'description' | 'tier' | 'errors'>

/** The operation with another input and answer, for pages: not in the catalogue. */
export function variantOf<I extends z.ZodObject, O extends z.ZodObject, S = unknown>(
  { name, summary, description, tier, errors }: Described,
  variant: Pick<Operation<I, O, S>, 'input' | 'output' | 'run' | 'runPrepared' | 'mayLag'>,
): Operation<I, O, S> {
  return { name, summary, description, tier, errors, ...variant }
}

/** What time it is for whoever calls; a call may have waited since `at`. */
export const presentOf = ({ account }: Pick<Context, 'account'>): Date =>
  timeOf(account?.clock_ahead_ms == null ? {} : { aheadMs: account.clock_ahead_ms })
/** Whether a call comes from a sandbox, which sees test venues and no others. */
export const isTest = ({ account }: Pick<Context, 'account'>): boolean => account?.mode === 'test'

/** `venue_not_found`, which says so where the mode of the key is the reason. */
export function venueNotFound(ctx: Pick<Context, 'account'>, named: string) {
  const mode = ctx.account?.mode
  if (mode === 'test') {
    const what = 'This is a test key, which sees test venues only: search to list them.'
    return refuse('venue_not_found', what, { mode })
  }
  if (!TEST_SLUG.test(named)) return refuse('venue_not_found')
  return refuse('venue_not_found', 'This is a live key: test venues need a test key.', {
    mode: 'live',
  })
}

/** Throws `live_key_required` for a call from a sandbox. */
export function requireLive(ctx: Pick<Context, 'account'>): void {
  if (isTest(ctx)) throw refuse('live_key_required')
}

/** The account of a call to an operation that needs one; the guards have checked that. */
export function accountOf(ctx: Pick<Context, 'account'>): Account {
  if (!ctx.account) throw new Error('an operation that needs an account was called without one')
  return ctx.account
}
