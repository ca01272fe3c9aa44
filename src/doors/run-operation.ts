import type { FastifyRequest } from 'fastify'
import type { CallRecorder } from '../accounts/call-recorder.ts'
import type { Account, DoorName, Operation, Services, Tier } from '../contract/operation.ts'
import { type RefusalData, refuse } from '../contract/rules/errors.ts'
import { bookingWorkflowId } from '../contract/rules/ids.ts'
import type { Scope } from '../contract/rules/scopes.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { loggable } from '../platform/telemetry/loggable.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import type { Tracing } from '../platform/telemetry/tracing.ts'
import { type Allowance, exceeded } from './guards/allowance.ts'
import type { KeyHolder } from './guards/authentication.ts'
import type { Guards } from './guards/guards.ts'
import { levelOf, refusalFrom } from './refusal-from.ts'

/** One call as a door understood it; `target` is null when the words of the caller named no operation. */
type Call = {
  door: DoorName
  request: FastifyRequest
  target: { operation: Operation; tier: Tier } | null
  /** The parsed input; throws the refusal of input that cannot be parsed. Asked for last. */
  read(): { input: Record<string, unknown>; from: string | null }
}

type Answer = { output: Record<string, unknown>; json?: Buffer }

/** What became of a call. `allowance` is what the caller has left, where something was counted. */
type Outcome = {
  account: KeyHolder | null
  /** who called, where they said so and were heard */
  from: string | null
  allowance: Allowance | null
  result: Answer | { refusal: RefusalData }
}

export type RunOperation = (call: Call) => Promise<Outcome>

/**
 * The one way from every door to the operations: key → quota → tier → input → sender → run → output. It never throws, and it
 * leaves one log line and one observation per call. What the dashboard calls takes nothing from the day: its pages have a limit
 * of their own.
 */
export function createRunOperation(deps: {
  services: Services
  guards: Guards
  metrics: Metrics
  tracing: Tracing
  log: Log
  calls: CallRecorder
}): RunOperation {
  const { services, guards, metrics, tracing, log, calls } = deps

  return (call) => {
    const { door, request } = call
    const { traceparent } = request.headers
    const parent = typeof traceparent === 'string' ? traceparent : undefined
    return tracing.call(`${door} ${operationOf(call)}`, parent, () => observe(call))
  }

  async function observe(call: Call): Promise<Outcome> {
    const started = performance.now()
    const outcome: Outcome = { account: null, from: null, allowance: null, result: { output: {} } }
    let failure: unknown
    metrics.callsInProgress.inc({ door: call.door })
    try {
      outcome.result = await answer(call, outcome)
    } catch (error) {
      failure = error
      outcome.result = { refusal: refusalFrom(error) }
    }
    metrics.callsInProgress.dec({ door: call.door })
    record(call, outcome, performance.now() - started, failure)
    return outcome
  }

  async function answer(call: Call, outcome: Outcome): Promise<Answer> {
    const { door, request, target, read } = call
    guards.admit()
    const at = new Date()
    const isCounted = door !== 'dashboard' && target?.tier !== 'open'
    const entered = isCounted ? await guards.enter(request, at) : null
    const account = entered?.holder ?? (await guards.identify(request))
    outcome.account = account
    if (target && target.tier !== 'open' && !account) throw refuse('unauthenticated')
    if (door !== 'dashboard') {
      outcome.allowance = entered?.allowance ?? (await guards.limitAddress(request))
      requireGranted(outcome.allowance, account)
    }
    if (target?.tier === 'pro' && account && account.tier !== 'pro') throw planRequired(account)
    const scopes = account?.scopes ?? []
    if (target && account) requireScope(target.operation, scopes)
    const { input, from } = read()
    outcome.from = from
    if (from !== null) await guards.judgeSender(from, account)
    if (!target) throw refuse('not_found')
    const context = { ...services, account, scopes, door, from, requestId: request.id, at }
    const { operation } = target
    if (operation.runPrepared) return operation.runPrepared(context, input)
    return { output: operation.output.parse(await operation.run(context, input)) }
  }

  /** Throws `quota_exceeded` or `rate_limited` when nothing was left. */
  function requireGranted(allowance: Allowance, account: KeyHolder | null): void {
    const { granted, policy } = allowance
    if (granted) return
    metrics.quotaRefusals.inc({ policy, tier: account?.tier ?? 'open' })
    throw exceeded(allowance)
  }

  function planRequired(account: Account) {
    const { proMonthlyUsd, feePct, proUpgrade, publicUrl } = services.settings
    const what = [
      `This key is on the free tier; pro costs ${proMonthlyUsd} USD a month and ${feePct} % per booking.`,
      proUpgrade === 'self' &&
        `You move the account at ${publicUrl}/dashboard/plan, or with \`POST /api/plan\` {"tier": "pro"} and a key that has the scope \`keys\`.`,
      `The operator moves it with \`npm run keys -- tier ${account.id} pro\`.`,
    ]
      .filter(Boolean)
      .join(' ')
    return refuse('plan_required', what, {
      required_tier: 'pro',
      monthly_price: { amount_minor: proMonthlyUsd * 100, currency: 'USD' },
    })
  }

  function record(call: Call, outcome: Outcome, ms: number, failure: unknown) {
    const { door, request } = call
    const { account, result } = outcome
    const operation = operationOf(call)
    const code = 'refusal' in result ? result.refusal.code : 'ok'
    metrics.calls.observe({ door, operation, code }, ms / 1000)
    const about = {
      request_id: request.id,
      door,
      operation,
      code,
      ...(account && { account_id: account.id }),
      ...bookingOf(result),
    }
    tracing.note(about)
    note(call, outcome, code, ms)
    const line = { ...about, ms: Math.round(ms * 10) / 10 }
    const level = levelOf(code)
    if (level === 'error') log.error({ ...line, error: loggable(failure) }, 'call failed')
    else log[level](line, level === 'warn' ? 'call refused' : 'call')
  }

  /** For the request log of the account. What is done in the dashboard is no request of an agent. */
  function note(call: Call, { account, from }: Outcome, code: string, ms: number) {
    const { door, request } = call
    if (!account || door === 'dashboard') return
    calls.note({
      account_id: account.id,
      key_id: account.keyId,
      request_id: request.id,
      at: new Date(Date.now() - ms),
      door,
      operation: operationOf(call),
      code,
      ms,
      from_agent: from,
    })
  }
}

/** Throws `scope_required` when the operation needs a scope that is not among these. */
function requireScope({ scope, name }: Operation, scopes: readonly Scope[]): void {
  if (!scope || scopes.includes(scope)) return
  throw refuse('scope_required', `The operation \`${name}\` needs the scope \`${scope}\`.`, {
    required_scope: scope,
  })
}

const operationOf = ({ target }: Call) => target?.operation.name ?? 'unknown'

/** The booking that an answer is about, and the workflow that looks after it. */
function bookingOf(result: Outcome['result']): Record<string, string> {
  const id =
    'refusal' in result
      ? result.refusal.facts.booking_id
      : (result.output.booking as { id?: unknown } | undefined)?.id
  return typeof id === 'string' ? { booking_id: id, workflow_id: bookingWorkflowId(id) } : {}
}
