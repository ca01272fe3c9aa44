import type { FastifyRequest } from 'fastify'
import type { CallRecorder } from '../../accounts/steps/call-recorder.ts'
import type { Actor } from '../../base/audit-actions.ts'
import type { ErrorCode } from '../../base/error-catalogue.ts'
import { type RefusalData, refuse } from '../../base/errors.ts'
import { bookingWorkflowId } from '../../base/ids.ts'
import type { Config } from '../../config/config.ts'
import type { NetworkServices } from '../../network.ts'
import type { Db } from '../../platform/database/sql.ts'
import { type Log, loggable } from '../../platform/telemetry/log.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import type { Tracing } from '../../platform/telemetry/tracing.ts'
import { type Allowance, addressOf } from '../guards/allowance.ts'
import type { KeyHolder } from '../guards/authentication.ts'
import type { Guards } from '../guards/guards.ts'
import type { OAuth } from '../oauth/interactions.ts'
import { timeOfCall } from './account-time.ts'
import { type DoorCall, nameOf } from './call.ts'
import { type CallFacts, createCallGuards, factsAt, mayPay } from './call-guards.ts'
import { describeCall } from './describe-call.ts'
import { inWordsOf } from './name-operations.ts'
import { levelOf, refusalFrom } from './refusals.ts'
import { explained } from './without-key.ts'

type Fields = Record<string, unknown>
type Answer = { output: Fields; json?: Buffer }

type Outcome = {
  account: KeyHolder | null
  /** the agent that the caller claims to be, once read */
  from: string | null
  /** the operation's input, once read */
  input: Record<string, unknown> | null
  /** what remains of a limit, if one applied */
  allowance: Allowance | null
  result: Answer | { refusal: RefusalData }
}

export type RunOperation = (call: DoorCall) => Promise<Outcome>

/** What every door depends on. */
export type DoorDeps = {
  services: NetworkServices
  guards: Guards
  run: RunOperation
  metrics: Metrics
  log: Log
  config: Config
  /** used only by the status page */
  statusDb: Db
  publicUrl: string
  /** the authorization server, and the steps of its consent page */
  oauth: OAuth
}

/**
 * The only path from the doors to the operations: the guards in `call-guards.ts` → run → output.
 * Never throws, and records one log line and one observation per call.
 */
export function createRunOperation(
  { services, guards, metrics, log }: Pick<DoorDeps, 'services' | 'guards' | 'metrics' | 'log'>,
  tracing: Tracing,
  calls: CallRecorder,
): RunOperation {
  const callGuards = createCallGuards({ services, guards, metrics })

  return (call) => {
    const { traceparent } = call.request.headers
    const parent = typeof traceparent === 'string' ? traceparent : undefined
    return tracing.call(`${call.door} ${nameOf(call)}`, parent, () => observe(call))
  }

  async function observe(call: DoorCall): Promise<Outcome> {
    const started = performance.now()
    let facts = factsAt(new Date())
    let result: Outcome['result']
    let failure: unknown
    metrics.callsInProgress.inc({ door: call.door })
    try {
      for (const guard of callGuards) facts = { ...facts, ...(await guard(call, facts)) }
      result = await execute(call, facts)
    } catch (error) {
      failure = error
      result = { refusal: explained(refusalFrom(error), call, services.settings.publicUrl) }
    }
    result = inWordsOf(call.door, result)
    facts.metered?.end()
    facts.meteredBooking?.end()
    metrics.callsInProgress.dec({ door: call.door })
    const { from, input, allowance } = facts
    const outcome = { account: callerOf(facts, codeOf(result)), from, input, allowance, result }
    record(call, outcome, performance.now() - started, failure)
    return outcome
  }

  /** Runs the operation of a call that has passed its guards. */
  async function execute(call: DoorCall, facts: CallFacts): Promise<Answer> {
    const { door, request, operation, maxChars } = call
    const { account, scopes, from, understood, metered } = facts
    const input = facts.input ?? {}
    if (!operation) throw refuse('not_found')
    const caller = {
      account,
      actor: actorOf(request, account),
      role: account?.role,
      scopes,
      door,
      address: addressOf(request),
      from: from ?? account?.client ?? null,
      requestId: request.id,
      at: timeOfCall(operation, account, facts.at),
      charge: metered?.charge,
      understood,
      ...(mayPay(operation, services) && { payment: call.payment?.(), resource: call.resource }),
    }
    const context = { ...services, ...caller }
    const answerTo = async (input: Fields): Promise<Answer> =>
      operation.runPrepared
        ? operation.runPrepared(context, input)
        : { output: operation.output.parse(await operation.run(context, input)) }
    const answer = maxChars
      ? await readWithin(maxChars, input, answerTo, understood)
      : await answerTo(input)
    return Object.keys(understood).length > 0
      ? { output: { ...answer.output, understood } }
      : answer
  }

  /** Writes one observation, one log line, and an entry in the account's request log. */
  function record(call: DoorCall, outcome: Outcome, ms: number, failure: unknown) {
    const { door, request } = call
    const { result } = outcome
    const operation = nameOf(call)
    const code = codeOf(result)
    // The key of a caller who was refused may still identify the account.
    const account = outcome.account ?? (isTurnedAway(code) ? guards.holderOfKey(request) : null)
    metrics.calls.observe({ door, operation, code }, ms / 1000)
    const common = { request_id: request.id, door, operation, code }
    const about = { ...common, ...(account && { account_id: account.id }), ...bookingOf(result) }
    tracing.note(about)
    // An account's request log contains only its agents' requests.
    if (account && door !== 'dashboard') {
      const at = new Date(Date.now() - ms)
      const { id: account_id, key_id, grant_id = null } = account
      const caller = {
        account_id,
        key_id,
        grant_id,
        from_agent: outcome.from ?? account.client ?? null,
      }
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

/** A shortened page leaves room for what its length in JSON does not count. */
const SPARE = 0.9

/** The answer; a list that is too long is read again with a smaller limit, which is echoed. */
async function readWithin(
  maxChars: number,
  input: Fields,
  answerTo: (input: Fields) => Promise<Answer>,
  understood: Fields,
): Promise<Answer> {
  const answer = await answerTo(input)
  const chars = JSON.stringify(answer.output).length
  const lists = Object.values(answer.output).filter((one) => Array.isArray(one))
  const rows = Math.max(0, ...lists.map((list) => list.length))
  if (chars <= maxChars || typeof input.limit !== 'number' || rows < 2) return answer
  const limit = Math.max(1, Math.floor((rows * maxChars * SPARE) / chars))
  understood.limit = limit
  return readWithin(maxChars, { ...input, limit }, answerTo, understood)
}

/**
 * The caller. Limits on recently valid keys apply before the lookup, and so may refuse a call
 * before its account has been identified.
 */
const callerOf = ({ account, recent }: CallFacts, code: ErrorCode | 'ok'): KeyHolder | null =>
  account ?? (code === 'account_rate_limited' || code === 'too_many_in_flight' ? recent : null)

const codeOf = (result: Outcome['result']): ErrorCode | 'ok' =>
  'refusal' in result ? result.refusal.code : 'ok'

const isTurnedAway = (code: ErrorCode | 'ok'): boolean =>
  code === 'address_not_allowed' || code === 'account_suspended'

/** The caller, for the audit log. */
function actorOf({ developer }: FastifyRequest, holder: KeyHolder | null): Actor | null {
  if (developer) return { kind: 'member', id: developer.id, name: developer.email }
  if (holder?.developer_id) return { kind: 'member', id: holder.developer_id }
  return holder && { kind: 'key', id: holder.key_id }
}

/** The ids of the booking in an answer and of its workflow. */
function bookingOf(result: Outcome['result']): Record<string, string> {
  const id =
    'refusal' in result
      ? result.refusal.facts.booking_id
      : (result.output.booking as { id?: unknown } | undefined)?.id
  return typeof id === 'string' ? { booking_id: id, workflow_id: bookingWorkflowId(id) } : {}
}
