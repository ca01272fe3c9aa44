import type { FastifyRequest } from 'fastify'
import { planRequired } from '../../accounts/operations/plan-required.ts'
import { Refusal, refuse } from '../../base/errors.ts'
import { scopesOfRole } from '../../base/roles.ts'
import type { Scope } from '../../base/scopes.ts'
import { limitedAs } from '../../base/throttle.ts'
import type { NetworkOperation, NetworkServices } from '../../network.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import type { MeteredCall } from '../guards/account-meter.ts'
import { type Allowance, addressOf, requireGranted } from '../guards/allowance.ts'
import type { KeyHolder } from '../guards/authentication.ts'
import type { Guards } from '../guards/guards.ts'
import { type DoorCall, nameOf } from './call.ts'
import type { UnderstoodFields } from './lenient-input.ts'

/** What the guards of a call have established so far. */
export type CallFacts = {
  at: Date
  /** before the first statement, the probable key holder, if the key was valid recently */
  recent: KeyHolder | null
  account: KeyHolder | null
  /** this call's shares in the limits on calls and bookings in flight */
  metered: MeteredCall | null
  meteredBooking: MeteredCall | null
  /** what remains of a limit, if one applied */
  allowance: Allowance | null
  scopes: readonly Scope[]
  /** the agent that the caller claims to be, once read */
  from: string | null
  /** the operation's input, once read */
  input: Record<string, unknown> | null
  understood: UnderstoodFields
}

/** The facts before the first guard has run. */
export const factsAt = (at: Date): CallFacts => ({
  at,
  recent: null,
  account: null,
  metered: null,
  meteredBooking: null,
  allowance: null,
  scopes: [],
  from: null,
  input: null,
  understood: {},
})

type New = Partial<CallFacts>

/** Returns the facts that it establishes, or throws to refuse the call. */
type CallGuard = (call: DoorCall, facts: CallFacts) => New | undefined | Promise<New | undefined>

type GuardDeps = { services: NetworkServices; guards: Guards; metrics: Metrics }

/**
 * The guards of a call, in order: key → meter → quota → tier → scope → input → sender. A call is
 * metered before the first statement if its key was valid recently, and otherwise once its holder
 * is known; a call without a holder is metered by address.
 */
export function createCallGuards({ services, guards, metrics }: GuardDeps): readonly CallGuard[] {
  return [
    admit,
    recognize,
    meter,
    meterBooking,
    identify,
    meter,
    meterBooking,
    meterAddress,
    requireKey,
    takeAllowance,
    requireAllowance,
    requirePlan,
    grantScopes,
    requireScope,
    readInput,
    checkSender,
  ]

  function admit(): undefined {
    guards.admit()
  }

  function recognize({ request }: DoorCall) {
    return { recent: guards.recentHolder(request) ?? null }
  }

  function meter({ request }: DoorCall, { at, account, recent, metered }: CallFacts) {
    const holder = account ?? recent
    return holder && !metered
      ? { metered: guards.meter(meteredAs(request, holder), at) }
      : undefined
  }

  function meterBooking(
    { request, operation }: DoorCall,
    { at, account, recent, meteredBooking }: CallFacts,
  ) {
    const holder = account ?? recent
    if (!holder || meteredBooking || operation?.scope !== 'bookings') return undefined
    return { meteredBooking: guards.meterBookings(meteredAs(request, holder), at) }
  }

  /** For a recently valid key, one statement looks it up and charges the call to the quota. */
  async function identify(call: DoorCall, { at }: CallFacts): Promise<New> {
    const { request } = call
    if (!takesFromQuota(call)) return { account: await guards.identify(request) }
    const entered = await guards.enter(request, at)
    return { account: entered?.holder ?? null, allowance: entered?.allowance ?? null }
  }

  function meterAddress({ request }: DoorCall, { at, metered }: CallFacts) {
    return metered ? undefined : { metered: guards.meterAddress(addressOf(request), at) }
  }

  async function requireKey(call: DoorCall, { account }: CallFacts): Promise<undefined> {
    const needsKey =
      call.operation !== undefined && tierOf(call) !== 'open' && !mayPay(call.operation, services)
    if (needsKey && !account) throw await guards.refuseKeyless(call.request)
  }

  async function takeAllowance(call: DoorCall, { at, account, allowance }: CallFacts) {
    if (call.door === 'dashboard' || allowance) return undefined
    const isOfDay = account && takesFromQuota(call)
    return {
      allowance: await (isOfDay
        ? guards.takeQuota(account, at)
        : guards.limitAddress(call.request)),
    }
  }

  function requireAllowance(_: DoorCall, { account, allowance }: CallFacts): undefined {
    if (!allowance) return
    const { granted, policy } = allowance
    if (!granted) metrics.quotaRefusals.inc({ policy, tier: account?.tier ?? 'open' })
    requireGranted(allowance)
  }

  async function requirePlan(call: DoorCall, { account }: CallFacts): Promise<undefined> {
    if (tierOf(call) !== 'pro' || !account || mayPay(call.operation, services)) return
    if (account.tier === 'pro' || account.mode === 'test') return
    const isPaid = call.operation?.scope === 'bookings' && services.billing?.paysByCard(account)
    if (!(await isPaid)) throw await planRequired({ ...services, door: call.door }, account)
  }

  /** A paying wallet gets the scope that payable operations need. */
  function grantScopes(call: DoorCall, { account }: CallFacts): New {
    return { scopes: account?.scopes ?? (mayPay(call.operation, services) ? ['bookings'] : []) }
  }

  function requireScope(call: DoorCall, { account, scopes }: CallFacts): undefined {
    const { scope } = call.operation ?? {}
    if (!account || !scope || scopes.includes(scope)) return
    if (account.role && scopesOfRole(account.role, [scope]).length === 0) {
      const message =
        `Your user is ${account.role} in this account, and this role cannot allow \`${scope}\`. ` +
        'Signing in again changes nothing: an owner of the account can change the role.'
      const facts = { required_scope: scope, role: account.role }
      throw new Refusal({ code: 'scope_required', message, facts })
    }
    const lacks = `lacks the scope \`${scope}\`, which \`${nameOf(call)}\` needs.`
    if (account.grant_id && scope !== 'keys') {
      const message = `This sign-in ${lacks} Ask your user to sign in again and to allow it.`
      throw new Refusal({ code: 'scope_required', message, facts: { required_scope: scope } })
    }
    const create_at = `${services.settings.publicUrl}/dashboard/keys`
    throw refuse('scope_required', `This key ${lacks}`, { required_scope: scope, create_at })
  }

  function readInput(call: DoorCall): New {
    const { input, from = null, understood = {} } = call.read()
    return { input, from, understood }
  }

  async function checkSender(_: DoorCall, { from, account }: CallFacts): Promise<undefined> {
    if (from !== null) await guards.checkSender(from, account)
  }
}

/** Whether callers whose tier is too low for an operation may pay for a call to it. */
export const mayPay = (operation: NetworkOperation | undefined, services: NetworkServices) =>
  operation?.payable === true && services.facilitator !== undefined

/**
 * Dashboard calls are metered per person, so that neither an agent nor another member can lock a
 * developer out.
 */
const meteredAs = ({ developer }: FastifyRequest, holder: KeyHolder): string =>
  developer?.id ?? limitedAs(holder)

const tierOf = ({ operation, tier = operation?.tier }: DoorCall) => tier

/** Whether a call counts against its account's daily quota. */
const takesFromQuota = (call: DoorCall): boolean =>
  call.door !== 'dashboard' && tierOf(call) !== 'open'
