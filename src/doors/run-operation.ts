import type { FastifyRequest } from 'fastify'
import { type Allowance, exceeded } from '../guards/allowance.ts'
import type { Guards } from '../guards/guards.ts'
import { errorCatalogue, type RefusalData, refuse } from '../model/errors.ts'
import type { Account, DoorName, Operation, Services, Tier } from '../operations/define.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { loggable, refusalFrom } from './refusal-from.ts'

/** One call as a door understood it; `target` is null when the words of the caller named no operation. */
export type Call = {
  door: DoorName
  request: FastifyRequest
  target: { operation: Operation; tier: Tier } | null
  /** The parsed input; throws the refusal of input that cannot be parsed. Asked for last. */
  read(): { input: Record<string, unknown>; from: string | null }
}

/** What became of a call. `allowance` is what the caller has left, where something was counted. */
export type Outcome = {
  account: Account | null
  allowance: Allowance | null
  result: { output: Record<string, unknown> } | { refusal: RefusalData }
}

export type RunOperation = (call: Call) => Promise<Outcome>

/**
 * The one way from every door to the operations: key → quota → tier → input → run → output. It never throws, and it
 * leaves one log line and one observation per call.
 */
export function createRunOperation(deps: {
  services: Services
  guards: Guards
  metrics: Metrics
  log: Log
}): RunOperation {
  const { services, guards, metrics, log } = deps

  return async (call) => {
    const started = performance.now()
    const outcome: Outcome = { account: null, allowance: null, result: { output: {} } }
    let failure: unknown
    try {
      outcome.result = { output: await answer(call, outcome) }
    } catch (error) {
      failure = error
      outcome.result = { refusal: refusalFrom(error) }
    }
    record(call, outcome, performance.now() - started, failure)
    return outcome
  }

  async function answer(call: Call, outcome: Outcome): Promise<Record<string, unknown>> {
    const { door, request, target, read } = call
    const at = new Date()
    const account = await guards.identify(request)
    outcome.account = account
    if (target && target.tier !== 'open' && !account) throw refuse('unauthenticated')
    const counts = account !== null && target?.tier !== 'open'
    outcome.allowance = counts
      ? await guards.takeQuota(account, at)
      : await guards.limitAddress(request)
    if (!outcome.allowance.granted) throw exceeded(outcome.allowance)
    if (target?.tier === 'pro' && account && account.tier !== 'pro') throw planRequired(account)
    const { input, from } = read()
    if (!target) throw refuse('not_found')
    const context = { ...services, account, door, from, requestId: request.id, at }
    return target.operation.output.parse(await target.operation.run(context, input))
  }

  function planRequired(account: Account) {
    const { proMonthlyUsd, feePct } = services.settings
    const what = [
      `This key is on the free tier; pro costs ${proMonthlyUsd} USD a month and ${feePct} % per booking.`,
      `The operator moves the account with \`npm run keys -- tier ${account.id} pro\`.`,
    ].join(' ')
    return refuse('plan_required', what, {
      required_tier: 'pro',
      monthly_price: { amount_minor: proMonthlyUsd * 100, currency: 'USD' },
    })
  }

  function record(call: Call, { account, result }: Outcome, ms: number, failure: unknown) {
    const code = 'refusal' in result ? result.refusal.code : 'ok'
    const operation = call.target?.operation.name ?? 'unknown'
    metrics.observeCall({ door: call.door, operation, code }, ms / 1000)
    const line = {
      request_id: call.request.id,
      door: call.door,
      operation,
      account_id: account?.id ?? null,
      code,
      ms: Math.round(ms * 10) / 10,
    }
    const unforeseen = 'refusal' in result && errorCatalogue[result.refusal.code].status >= 500
    if (unforeseen) log.error({ ...line, error: loggable(failure) }, 'call failed')
    else log.info(line, 'call')
  }
}
