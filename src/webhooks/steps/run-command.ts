import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { Refusal } from '../../base/errors.ts'
import { type Audited, bySignal, recordAudit } from '../../contract/audit.ts'
import { type Pool, transaction } from '../../platform/database/sql.ts'
import { newSigningSecret } from '../../platform/http/signature.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type {
  CommandOutcome,
  EndpointCommandName,
  EndpointStart,
  GivenCommand,
} from '../rules/endpoint-messages.ts'
import { type EndpointCommand, hasEndpointCommand } from '../store/endpoint-commands.ts'
import { lockOptionalEndpoint, selectOptionalEndpoint } from '../store/endpoints.ts'
import { selectOptionalReplayOf } from '../store/replay-view.ts'
import { selectSigningKeys } from '../store/signing-keys.ts'
import { addKey } from './add-key.ts'
import { beginPlanned, planReplay } from './begin-replay.ts'
import { changeReplay, holdEndpoint, reopenOnce } from './command-once.ts'
import { choiceFields } from './replay-choice.ts'

type CommandDeps = { db: Pool; sealer: Sealer; log: Log }
type Run = (deps: CommandDeps, start: EndpointStart, command: Signalled) => Promise<CommandOutcome>

/** A command and its audit data. */
type Signalled = EndpointCommand & { audited: Audited }

/** An outcome that changed nothing, and why. */
const ignored = (why: string): CommandOutcome => ({ ignored: why })
const DONE_BEFORE = { done: 'done already' }

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^\P{Cs}*$/u)

/** The operator and their reason. */
const who = {
  by: line(100),
  reason: line(500).optional(),
}

const replayChange = z.strictObject({
  ...who,
  replay_id: z.uuid().toLowerCase(),
  change: z.enum(['pause', 'resume', 'cancel']),
})
const newReplay = z.strictObject({
  ...who,
  ...choiceFields,
  per_second: z.int().min(1).max(1000).default(100),
})

/** The input of each signal that operators send, apart from `id`. */
const inputs = {
  pause: z.strictObject(who),
  disable: z.strictObject(who),
  resume: z.strictObject({
    ...who,
    from: z.enum(['paused', 'disabled']).default('paused'),
    held: z.enum(['release', 'discard']).default('release'),
  }),
  replay: z.union([replayChange, newReplay]),
  rotateSecret: z.strictObject({
    ...who,
    overlap_hours: z.int().min(0).max(168).default(24),
    revoke: z.boolean().default(false),
  }),
} satisfies Record<EndpointCommandName, z.ZodType>

/** The effect of each signal, through the same steps as the owner's operations. */
const commands: { [N in EndpointCommandName]: (input: z.output<(typeof inputs)[N]>) => Run } = {
  pause: () => (deps, of, command) => hold(deps, of, { ...command, name: 'pause' }),
  disable: () => (deps, of, command) => hold(deps, of, { ...command, name: 'disable' }),
  resume:
    ({ by: _, reason: __, ...how }) =>
    async ({ db }, { accountId, endpointId }, command) => {
      const before = await selectOptionalEndpoint(db, accountId, endpointId)
      if (before?.status !== how.from) return ignored(`the endpoint is ${before?.status}`)
      const count = await reopenOnce(db, command, how, command.audited)
      return count ? { done: inWords(count) } : DONE_BEFORE
    },
  replay: (input) => ('change' in input ? runChange(input) : runReplay(input)),
  rotateSecret: (how) => (deps, start, command) => rotate(deps, start, command, how),
}

/** Maximum length of the reason for ignoring a signal; unknown fields can make it long. */
const MAX_REASON_CHARS = 500

/** Ids chosen by the sender are shown and stored, so their length is limited. */
const commandId = z.string().regex(/^[ -~]{1,100}$/)

/**
 * Runs a signal's command, once per id. The owner's operations run the command before they signal,
 * so nothing is left to do. Bad input and refusals are returned as outcomes, so no signal can fail
 * a workflow.
 */
export async function runCommand(
  deps: CommandDeps,
  start: EndpointStart,
  signal: GivenCommand,
  at: Date,
): Promise<CommandOutcome> {
  const outcome = await outcomeOf(deps, start, signal, at)
  const about = { endpoint_id: start.endpointId, signal: signal.name }
  if ('ignored' in outcome) {
    deps.log.warn({ ...about, reason: outcome.ignored }, 'a signal to an endpoint was ignored')
  } else if (outcome.done !== DONE_BEFORE.done) {
    deps.log.info({ ...about, result: outcome.done }, 'a signal changed an endpoint')
  }
  return outcome
}

async function outcomeOf(
  deps: CommandDeps,
  start: EndpointStart,
  { name, id, input }: GivenCommand,
  at: Date,
): Promise<CommandOutcome> {
  const { accountId, endpointId } = start
  if (!commandId.safeParse(id).success) return ignored('`id` must be 1 to 100 ASCII characters')
  const command = { endpointId, id, name, at }
  if (await hasEndpointCommand(deps.db, command)) return { ...DONE_BEFORE, ...revoked(input) }
  if (!(await selectOptionalEndpoint(deps.db, accountId, endpointId))) {
    return ignored('the endpoint is deleted')
  }
  const { id: _, ...about } = Object(input ?? {})
  const isText = typeof (input ?? {}) !== 'object'
  const parsed = inputOf(name, about).safeParse(isText ? input : about)
  if (!parsed.success) return ignored(z.prettifyError(parsed.error).slice(0, MAX_REASON_CHARS))
  const { by, reason } = parsed.data
  const audited = bySignal(accountId, at, { act: id, by, reason })
  try {
    const run = (commands[name] as (input: unknown) => Run)(parsed.data)
    return await run(deps, start, { ...command, audited })
  } catch (error) {
    if (error instanceof Refusal) return ignored(error.data.message)
    throw error
  }
}

/** The input's schema, narrowed if only one kind is possible, so errors name the right fields. */
function inputOf(name: EndpointCommandName, about: object) {
  if (name !== 'replay') return inputs[name]
  return 'change' in about || 'replay_id' in about ? replayChange : newReplay
}

const revoked = (input: unknown) =>
  Object(input).revoke === true ? ({ revoked: true } as const) : {}

const notHeld = {
  pause: 'only an active endpoint can be paused',
  disable: 'the endpoint is disabled already',
}

async function hold(
  { db }: CommandDeps,
  _: EndpointStart,
  { audited, ...command }: Signalled & { name: 'pause' | 'disable' },
): Promise<CommandOutcome> {
  const isHeld = await holdEndpoint(db, command, 'operator', audited)
  if (isHeld === undefined) return DONE_BEFORE
  if (!isHeld) return ignored(notHeld[command.name])
  return { done: command.name === 'pause' ? 'paused' : 'disabled' }
}

const inWords = (count: { released: number } | { discarded: number }) =>
  'released' in count ? `released ${count.released} held` : `discarded ${count.discarded} held`

const runChange =
  ({ replay_id, change }: { replay_id: string; change: 'pause' | 'resume' | 'cancel' }): Run =>
  async ({ db }, { accountId, endpointId }, command) => {
    const replay = await selectOptionalReplayOf(db, accountId, replay_id)
    if (replay?.endpoint_id !== endpointId) return ignored('the endpoint has no such replay')
    const isChanged = await changeReplay(db, command, replay_id, change, command.audited)
    if (isChanged === undefined) return DONE_BEFORE
    return isChanged
      ? { done: `${change} replay ${replay_id}` }
      : ignored(`the replay is ${replay.status}`)
  }

const runReplay =
  ({ per_second: perSecond, by: _, reason: __, ...choice }: z.output<typeof newReplay>): Run =>
  async ({ db }, of, { id: commandId, at, audited }) => {
    const plan = await planReplay(db, of, choice)
    const replay = { id: randomUUIDv7(), commandId, perSecond, at }
    const counts = await transaction(db, async (tx) => {
      const result = await beginPlanned(tx, plan, replay)
      const details = { endpoint_id: of.endpointId, events: result?.would_send }
      if (result) await recordAudit(tx, audited, 'replay.created', { id: replay.id, details })
      return result
    })
    return counts ? { done: `replay ${replay.id} of ${counts.would_send} events` } : DONE_BEFORE
  }

/** Creates a secret that the owner sees at the next rotation. */
function rotate(
  { db, sealer }: CommandDeps,
  { accountId, endpointId }: EndpointStart,
  { id: commandId, at, audited }: Signalled,
  { overlap_hours: overlapHours, revoke }: { overlap_hours: number; revoke: boolean },
): Promise<CommandOutcome> {
  return transaction(db, async (tx) => {
    const endpoint = await lockOptionalEndpoint(tx, accountId, endpointId)
    if (!endpoint) return ignored('the endpoint is deleted')
    const id = randomUUIDv7()
    const keys = await selectSigningKeys(tx, endpointId, at)
    const secret = newSigningSecret()
    const key = { endpointId, id, commandId, secret, isShown: false, at }
    const how = revoke ? ({ revoke } as const) : { overlapHours }
    if (!(await addKey(tx, sealer, keys, key, how))) return DONE_BEFORE
    const action = revoke ? 'endpoint.secrets_revoked' : 'endpoint.secret_rotated'
    const change = { id: endpointId, name: endpoint.url, details: { key_id: id, ...how } }
    await recordAudit(tx, audited, action, change)
    const before = revoke ? 'all others are revoked' : `the one before signs for ${overlapHours} h`
    return { done: `key ${id} signs; ${before}`, ...revoked({ revoke }) }
  })
}
