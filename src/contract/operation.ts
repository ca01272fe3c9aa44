import { z } from 'zod'
import { type OfAccount, timeOf } from '../base/account-time.ts'
import type { Actor, AuditAction } from '../base/audit-actions.ts'
import type { ErrorCode } from '../base/error-catalogue.ts'
import { refuse } from '../base/errors.ts'
import type { AccountPart, Role } from '../base/roles.ts'
import type { Scope } from '../base/scopes.ts'
import type { Limited } from '../base/throttle.ts'
import type { Pool } from '../platform/database/sql.ts'
import type { Egress } from '../platform/http/egress.ts'
import type { SendMail } from '../platform/mail/send-mail.ts'
import { requireMember } from './members.ts'

export type Tier = 'open' | 'free' | 'pro'
/** `test`: a sandbox, which sees only test venues and touches nothing live. */
export type AccountMode = 'live' | 'test'
export type Account = {
  id: string
  name: string
  tier: 'free' | 'pro'
  mode: AccountMode
  /** the sandbox's owner; null for a live account */
  live_account_id?: string | null
  /** how far its test clock is ahead of real time; null without a test clock */
  clock_ahead_ms?: number | null
}

/** An account in the form that workflow inputs use. */
export const ofAccount = ({ id, live_account_id }: Limited): OfAccount => ({
  accountId: id,
  ...(live_account_id && { liveAccountId: live_account_id }),
})

export type DoorName = 'rest' | 'a2a' | 'mcp' | 'dashboard' | 'web' | 'guest'

/** Configuration read by operations in every room. */
export type Settings = {
  publicUrl: string
  feePct: number
  /** whether email is delivered, by a mail server or into a development machine's mailbox */
  sendsMail: boolean
  /** the key with which browsers subscribe to notices; null if they cannot */
  pushKey: string | null
  /** endpoints and public agents need a verified address */
  endpointsNeedVerifiedEmail: boolean
}

/** Services used by operations in every room. */
export type Services = {
  db: Pool
  egress: Egress
  sendMail: SendMail
  settings: Settings
}

/**
 * The caller, the time and the door. `S` is what the operation uses in addition to `Services`; its
 * rooms provide it (`services` and `engine` in their `room.ts`).
 */
export type Context<S = unknown> = Services &
  S & {
    /** null for calls without a key, which only open operations accept */
    account: Account | null
    /** The key or developer, for the audit log; changes are recorded only if it is set. */
    actor?: Actor | null
    /** The role of a member who calls with an access token, read with the token. */
    role?: Role | null | undefined
    /** The key's scopes; a signed-in developer has all. */
    scopes: readonly Scope[]
    door: DoorName
    /** the caller's address for the purpose of limits: for IPv6, the subscriber's network */
    address: string
    from: string | null
    requestId: string
    at: Date
    /** The normalised form of any input that was sent in another form; operations add to it. */
    understood?: Record<string, unknown>
    /** The call's x402 payment, as decoded by its door. */
    payment?: unknown
    /** The purpose of the payment, as its door names it; by default the REST route. */
    resource?: string | undefined
    /** Counts this many extra calls against the account's rate limit. */
    charge?: ((calls: number) => void) | undefined
  }

/** An object, or one of several forms that a field tells apart. */
export type OutputSchema = z.ZodObject | z.ZodDiscriminatedUnion<readonly z.ZodObject[]>

/** An output with each of its forms changed. */
export function changeForms(
  output: OutputSchema,
  change: (form: z.ZodObject) => z.ZodObject,
): OutputSchema {
  if (output instanceof z.ZodObject) return change(output)
  const forms = output.options.map(change) as unknown as [z.core.$ZodTypeDiscriminable]
  return z.discriminatedUnion(output.def.discriminator, forms) as unknown as OutputSchema
}

/**
 * A capability, the same at every door. The catalogue may set another `tier` for a door. `S` is
 * what it uses in addition to `Services`; an `Operation` without `S` can be described but not run.
 */
export type Operation<
  I extends z.ZodObject = z.ZodObject,
  O extends OutputSchema = OutputSchema,
  S = never,
> = {
  name: string
  summary: string
  description: string
  tier: Tier
  scope?: Scope
  /** The part of the account that the member's role must allow, if the scope does not imply it. */
  part?: AccountPart
  /** Changes that part, as audited operations and those with scope `bookings` always do. */
  changes?: true
  /** If x402 payments are enabled, callers below its tier may pay per call. */
  payable?: true
  /** Changes the account and records this in the audit log in the same transaction. */
  audit?: AuditAction
  input: I
  output: O
  errors: readonly ErrorCode[]
  /** Fields that look as if they could be sent but cannot change, and what to do instead. */
  fixed?: Readonly<Record<string, string>>
  run(ctx: Context<S>, input: z.output<I>): Promise<z.input<O>>
  /** Replaces `run` if the operation caches its answers both parsed and serialized. */
  runPrepared?(ctx: Context<S>, input: z.output<I>): Promise<PreparedOutput<z.output<O>>>
  /** Types only: the caller of `run` must provide `S`. */
  uses?: (services: S) => void
}

/** An output that has been validated, and its JSON. */
export type PreparedOutput<O> = { output: O; json: Buffer }

/** Validates an output with its schema and serializes it. */
export function prepareOutput<O extends OutputSchema>(
  schema: O,
  result: z.input<O>,
): PreparedOutput<z.output<O>> {
  const output = schema.parse(result) as z.output<O>
  return { output, json: Buffer.from(JSON.stringify(output)) }
}

/**
 * By default, any account may call it, and it refuses only what every operation refuses. Whatever
 * can change a booking says its tier, so that no operation that costs money is left open.
 */
export type Definition<O extends Operation> = Omit<O, 'tier' | 'errors' | 'scope'> &
  Partial<Pick<O, 'errors'>> &
  ({ scope?: Scope; tier: Tier } | { scope?: Exclude<Scope, 'bookings'>; tier?: never })

/** Infers the input and output types, and enforces a calling member's role. */
export function defineOperation<I extends z.ZodObject, O extends OutputSchema, S = unknown>(
  definition: Definition<Operation<I, O, S>>,
): Operation<I, O, S> {
  const operation: Operation<I, O, S> = { tier: 'free', errors: [], ...definition }
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

/** The operation with another input and output, for pages; not in the catalogue. */
export function variantOf<I extends z.ZodObject, O extends OutputSchema, S = unknown>(
  { name, summary, description, tier, errors }: Described,
  variant: Pick<Operation<I, O, S>, 'input' | 'output' | 'run' | 'runPrepared'>,
): Operation<I, O, S> {
  return { name, summary, description, tier, errors, ...variant }
}

/** The caller's current time; a call may have waited since `at`. */
export const presentOf = ({ account }: Pick<Context, 'account'>): Date =>
  timeOf(account?.clock_ahead_ms == null ? {} : { aheadMs: account.clock_ahead_ms })
/** Whether a call comes from a sandbox, which sees only test venues. */
export const isTest = ({ account }: Pick<Context, 'account'>): boolean => account?.mode === 'test'

/** Throws `live_key_required` for a call from a sandbox. */
export function requireLive(ctx: Pick<Context, 'account'>): void {
  if (isTest(ctx)) throw refuse('live_key_required')
}

/** The account of a call that requires one, as the guards have checked. */
export function accountOf(ctx: Pick<Context, 'account'>): Account {
  if (!ctx.account) throw new Error('an operation that needs an account was called without one')
  return ctx.account
}
