import type { FastifyRequest } from 'fastify'
import type { Unpaid } from '../../accounts/hooks.ts'
import type { CallRecorder } from '../../accounts/steps/call-recorder.ts'
import type { Actor } from '../../base/audit-actions.ts'
import { type RefusalData, refuse } from '../../base/errors.ts'
import { bookingWorkflowId } from '../../base/ids.ts'
import { limitedAs } from '../../base/throttle.ts'
import type { Config } from '../../config/config.ts'
import { withTexts } from '../../contract/local-times.ts'
import type { Account, DoorName, Tier } from '../../contract/operation.ts'
import type { NetworkOperation, NetworkServices } from '../../network.ts'
import type { Replica } from '../../platform/database/replica.ts'
import type { Db, Pool } from '../../platform/database/sql.ts'
import { type Log, loggable } from '../../platform/telemetry/log.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import type { Tracing } from '../../platform/telemetry/tracing.ts'
import { type Allowance, addressOf, requireGranted } from '../guards/allowance.ts'
import type { KeyHolder } from '../guards/authentication.ts'
import type { Guards } from '../guards/guards.ts'
import { timeOfCall } from './account-time.ts'
import { describeCall } from './describe-call.ts'
import type { UnderstoodFields } from './lenient-input.ts'
import { levelOf, refusalFrom } from './refusals.ts'

/** A call as its door read it. */
type Call = {
  door: DoorName
  request: FastifyRequest
  /** undefined if the caller named none that exists */
  operation: NetworkOperation | undefined
  /** overrides the operation's tier */
  tier?: Tier
  /** the intent or the tool that was called; at REST the route says it */
  target?: string | null
  /** the HTTP status of a good answer, if not always 200 */
  statusOf?(output: Record<string, unknown>): number
  /** The x402 payment that the call carries, if any; throws `payment_malformed`. */
  payment?: () => unknown
  /** what a payment for the call is for, unless that is its REST route */
  resource?: string
  /** The parsed input, read after key and quota; throws the refusal of invalid input. */
  read(): { input: Record<string, unknown>; from?: string | null; understood?: UnderstoodFields }
}

type Answer = { output: Record<string, unknown>; json?: Buffer }

type Outcome = {
  account: KeyHolder | null
  /** the agent that the caller claims to be, once read */
  from: string | null
  /** as the operation took it, once read */
  input: Record<string, unknown> | null
  /** what a limit leaves the caller, if one applied */
  allowance: Allowance | null
  result: Answer | { refusal: RefusalData }
}

/** The call as the meter of its account counts it. */
type Metered = {
  call?: ReturnType<Guards['meter']>
  booking?: ReturnType<Guards['meterBookings']>
}

export type RunOperation = (call: Call) => Promise<Outcome>

/** What every door is registered with. */
export type DoorDeps = {
  services: NetworkServices
  guards: Guards
  run: RunOperation
  metrics: Metrics
  log: Log
  config: Config
  /** for the status page only */
  statusDb: Db
  publicUrl: string
}

/**
 * The one way from every door to the operations: key → meter → quota → tier → input → sender → run
 * → output. It never throws, and leaves one log line and one observation per call. Dashboard calls
 * take nothing from the daily quota and have a meter of each person's own, so that neither an agent
 * nor another member shuts a developer out.
 */
export function createRunOperation(
  { services, guards, metrics, log }: Omit<DoorDeps, 'run' | 'config' | 'statusDb' | 'publicUrl'>,
  tracing: Tracing,
  calls: CallRecorder,
  replica?: Replica,
): RunOperation {
  return (call) => {
    const { traceparent } = call.request.headers
    const parent = typeof traceparent === 'string' ? traceparent : undefined
    return tracing.call(`${call.door} ${nameOf(call)}`, parent, () => observe(call))
  }

  async function observe(call: Call): Promise<Outcome> {
    const started = performance.now()
    const result = { output: {} }
    const outcome: Outcome = { account: null, from: null, input: null, allowance: null, result }
    let failure: unknown
    const metered: Metered = {}
    metrics.callsInProgress.inc({ door: call.door })
    try {
      outcome.result = await answer(call, outcome, metered)
    } catch (error) {
      failure = error
      outcome.result = { refusal: refusalFrom(error) }
    }
    metered.call?.end()
    metered.booking?.end()
    metrics.callsInProgress.dec({ door: call.door })
    record(call, outcome, performance.now() - started, failure)
    return outcome
  }

  async function answer(call: Call, outcome: Outcome, metered: Metered): Promise<Answer> {
    const { door, request, operation, tier = operation?.tier } = call
    guards.admit()
    const at = new Date()
    const meter = (account: KeyHolder | null) => {
      outcome.account = account
      if (!account) return
      const who = request.developer?.id ?? limitedAs(account)
      metered.call ??= guards.meter(who, at)
      if (operation?.scope === 'bookings') metered.booking ??= guards.meterBookings(who, at)
    }
    // Before the first statement, where the key was valid lately.
    meter(guards.recentHolder(request) ?? null)
    outcome.account = null
    const isCounted = door !== 'dashboard' && tier !== 'open'
    const entered = isCounted ? await guards.enter(request, at, meter) : null
    const account = entered?.holder ?? (await guards.identify(request))
    meter(account)
    metered.call ??= guards.meterAddress(addressOf(request), at)
    const mayPay = operation?.payable === true && services.facilitator !== undefined
    if (operation && tier !== 'open' && !account && !mayPay) {
      throw await guards.refuseKeyless(request)
    }
    if (door !== 'dashboard') {
      const allowance = entered?.allowance ?? (await guards.limitAddress(request))
      outcome.allowance = allowance
      const { granted, policy } = allowance
      if (!granted) metrics.quotaRefusals.inc({ policy, tier: account?.tier ?? 'open' })
      requireGranted(allowance)
    }
    const isPlanned = account?.tier === 'pro' || account?.mode === 'test' || mayPay
    if (tier === 'pro' && account && !isPlanned) throw await planRequired(account)
    // A wallet may do what it pays for.
    const scopes = account?.scopes ?? (mayPay ? (['bookings'] as const) : [])
    const { scope } = operation ?? {}
    if (account && scope && !scopes.includes(scope)) {
      const what = `The operation \`${nameOf(call)}\` needs the scope \`${scope}\`.`
      throw refuse('scope_required', what, { required_scope: scope })
    }
    const { input, from = null, understood = {} } = call.read()
    outcome.from = from
    outcome.input = input
    if (from !== null) await guards.checkSender(from, account)
    if (!operation) throw refuse('not_found')
    const address = addressOf(request)
    const actor = actorOf(request, account)
    const time = timeOfCall(operation, account, at)
    const common = { account, actor, scopes, door, address, from, requestId: request.id, at: time }
    const paying = mayPay ? { payment: call.payment?.(), resource: call.resource } : {}
    const caller = { ...common, ...paying }
    const charge = metered.call?.charge
    const runOn = async (db: Pool): Promise<Answer> => {
      const context = { ...services, ...caller, charge, db, understood }
      if (operation.runPrepared) return operation.runPrepared(context, input)
      return { output: operation.output.parse(await operation.run(context, input)) }
    }
    // A page shows what its reader has just changed.
    const isForReplica = operation.mayLag && door !== 'dashboard'
    const answer = await (isForReplica && replica ? replica.read(runOn) : runOn(services.db))
    return Object.keys(understood).length > 0
      ? { output: { ...answer.output, understood } }
      : answer
  }

  async function planRequired(account: Account) {
    const unpaid = await services.billing?.whyProEnded(account)
    if (unpaid) return proEnded(account, unpaid)
    const { proMonthlyUsd, feePct, proUpgrade, publicUrl } = services.settings
    const how =
      proUpgrade === 'self'
        ? `The account moves to pro at ${publicUrl}/dashboard/plan, or with \`POST /api/plan\` ` +
          '{"tier": "pro"} and a key that has the scope `keys`.'
        : 'The operator of this network moves the account to pro: quote `account_id`.'
    const what = [
      `This key is on the free tier; pro costs ${proMonthlyUsd} USD a month and`,
      `${feePct} % per booking.`,
      how,
    ]
    return refuse('plan_required', what.join(' '), {
      required_tier: 'pro',
      account_id: account.id,
      monthly_price: withTexts({ amount_minor: proMonthlyUsd * 100, currency: 'USD' }),
    })
  }

  function record(call: Call, outcome: Outcome, ms: number, failure: unknown) {
    const { door, request } = call
    const { from, result } = outcome
    const operation = nameOf(call)
    const code = 'refusal' in result ? result.refusal.code : 'ok'
    // The account of a key that may not call at all is known all the same.
    const isTurnedAway = code === 'address_not_allowed' || code === 'account_suspended'
    const account = outcome.account ?? (isTurnedAway ? guards.holderOfKey(request) : null)
    metrics.calls.observe({ door, operation, code }, ms / 1000)
    const common = { request_id: request.id, door, operation, code }
    const about = { ...common, ...(account && { account_id: account.id }), ...bookingOf(result) }
    tracing.note(about)
    // The request log of an account has the requests of its agents only.
    if (account && door !== 'dashboard') {
      const at = new Date(Date.now() - ms)
      const caller = { account_id: account.id, key_id: account.key_id, from_agent: from }
      const { publicUrl } = services.settings
      const exchange = { ...call, input: outcome.input, result }
      calls.note({ ...common, ...caller, at, ms }, (hasBodies) =>
        describeCall(exchange, publicUrl, hasBodies),
      )
    }
    const line = { ...about, ms: Math.round(ms * 10) / 10 }
    const level = levelOf(code)
    if (level === 'error') log.error({ ...line, error: loggable(failure) }, 'call failed')
    else log[level](line, level === 'warn' ? 'call refused' : 'call')
  }
}

/** Why an account without pro had it, and what brings it back. */
function proEnded({ id }: Account, { pay_url, purpose, ...unpaid }: Unpaid) {
  const owed = withTexts({ ...unpaid, text: '' })
  const name = purpose === 'pro' ? `the month ${owed.month}` : `invoice ${owed.number}`
  const what =
    `Pro has ended because ${owed.text} is unpaid: ${name}. It comes back as soon as ` +
    `that is paid at ${pay_url}, or with \`POST /api/payments\` and a key with the scope \`keys\`.`
  return refuse('plan_required', what, {
    required_tier: 'pro',
    account_id: id,
    unpaid: {
      due_id: owed.id,
      amount_minor: owed.amount_minor,
      text: owed.text,
      currency: owed.currency,
    },
    pay_url,
  })
}

/** Who calls, for the audit log. */
function actorOf({ developer }: FastifyRequest, holder: KeyHolder | null): Actor | null {
  if (developer) return { kind: 'member', id: developer.id, name: developer.email }
  return holder && { kind: 'key', id: holder.key_id }
}

const nameOf = ({ operation }: Call) => operation?.name ?? 'unknown'

/** The booking that an answer is about, and its workflow. */
function bookingOf(result: Outcome['result']): Record<string, string> {
  const id =
    'refusal' in result
      ? result.refusal.facts.booking_id
      : (result.output.booking as { id?: unknown } | undefined)?.id
  return typeof id === 'string' ? { booking_id: id, workflow_id: bookingWorkflowId(id) } : {}
}
