import { SECOND_MS } from '../../base/durations.ts'
import { type Pool, transaction } from '../../platform/database/sql.ts'
import { OutboundError } from '../../platform/http/failure.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import { type Log, loggable } from '../../platform/telemetry/log.ts'
import {
  channelDigests,
  isIdempotent,
  knownAddress,
  type Senders,
  type SendResult,
} from '../rules/channel.ts'
import { type NoticeState, type NoticeStep, nextStep, tryAgainAt } from '../rules/next-step.ts'
import type { NoticeProgress, NoticeTry } from '../rules/notice-run.ts'
import * as attempts from '../store/attempts.ts'
import * as channels from '../store/channels.ts'
import { endNotice, selectOptionalState, updateNextAt } from '../store/notices.ts'
import { composeMessage } from './compose-message.ts'
import type { CountAttempt } from './notice-metrics.ts'
import { storeStatus } from './record-status.ts'

/** What notices need to be sent. */
export type NoticeDeps = {
  db: Pool
  sealer: Sealer
  publicUrl: string
  log: Log
  senders: Senders
  countAttempt: CountAttempt
}

type Run = NoticeDeps & { noticeId: string; at: Date; tries: number; signal: AbortSignal }

/**
 * Takes the next step of a notice, which the rows alone decide, so that any process can take it.
 * Throws only if the database fails.
 */
export async function tryChannel(
  deps: NoticeDeps,
  noticeId: string,
  { tries, order }: NoticeTry,
  at: Date,
  signal: AbortSignal,
): Promise<NoticeProgress> {
  const run = { ...deps, noticeId, at, tries, signal }
  if (order === 'stop') await endNotice(deps.db, noticeId, 'stopped', at)
  const state = await usableState(deps, noticeId)
  if (!state) return { ended: 'erased', nextAt: at.getTime(), tries: 0, attempts: [] }
  const step = nextStep(state, at, order === 'resend')
  if (step.do !== 'send') return settle(run, state, step)
  const retryAt = await send(run, state, step)
  const after = (await usableState(deps, noticeId)) ?? state
  const next = retryAt ?? nextStep(after, at)
  if (!(next instanceof Date)) return settle(run, after, next)
  await updateNextAt(deps.db, noticeId, next)
  return progress(after, next, { tries: tries + 1 })
}

/** The state of a notice, without the channels for which this network has no sender. */
async function usableState({ db, senders, log }: NoticeDeps, noticeId: string) {
  const state = await selectOptionalState(db, noticeId)
  if (!state) return undefined
  const usable = state.channels.filter(({ kind }) => senders[kind])
  for (const { id, kind } of state.channels.filter((one) => !usable.includes(one))) {
    log.warn({ channel_id: id, kind }, 'a channel is skipped because its settings are missing')
  }
  return { ...state, channels: usable }
}

/** Ends the notice, or says when the next step is due. */
async function settle(run: Run, state: NoticeState, step: NoticeStep): Promise<NoticeProgress> {
  const { db, noticeId, at, log } = run
  if (step.do === 'end') {
    await endNotice(db, noticeId, step.reason, at)
    if (step.reason === 'unreachable') log.warn({ notice_id: noticeId }, 'nobody was notified')
    return progress(state, at, { ended: step.reason })
  }
  if (step.do === 'fail') await record(run, step.attemptId, 'nothing was heard of it')
  const next = step.do === 'wait' ? step.until : at
  await updateNextAt(db, noticeId, next)
  return progress(state, next)
}

const progress = (
  state: NoticeState,
  next: Date,
  { ended = null, tries = 0 }: Partial<Pick<NoticeProgress, 'ended' | 'tries'>> = {},
): NoticeProgress => ({
  ended,
  tries,
  nextAt: next.getTime(),
  attempts: state.attempts.map(({ kind, status }) => `${kind}: ${status}`),
})

type Send = Extract<NoticeStep, { do: 'send' }>

/** Sends by a channel and records the result; returns when to try again after a failure of ours. */
async function send(run: Run, state: NoticeState, step: Send): Promise<Date | undefined> {
  const { db, at } = run
  const channel = await openChannel(run, step)
  if (!channel) return undefined
  const attemptId = await begin(run, state, step)
  // Another process has just begun it.
  if (!attemptId) return new Date(at.getTime() + SECOND_MS)
  const log = run.log.child({ notice_id: run.noticeId, attempt_id: attemptId, channel: step.kind })
  let result: SendResult | undefined
  try {
    result = await call(run, step, attemptId, channel)
  } catch (error) {
    log.warn({ error: loggable(error), tries: run.tries + 1 }, 'a notice could not be sent')
    run.countAttempt(step.kind, 'retried')
    return afterFailure(run, state, { ...step, attemptId }, error)
  }
  // If the record fails, the message may have arrived, so this is no failure to send.
  if (result?.status !== 'sent') {
    const { failure, ends } = result ?? { failure: 'its settings are missing' }
    await record(run, attemptId, failure)
    if (ends) await channels.endChannel(db, step.channelId, ends, at)
    log.warn({ failure, ends }, 'a notice was refused')
    run.countAttempt(step.kind, 'failed')
    return undefined
  }
  await recordSent(run, attemptId, step.attemptId ? undefined : result.providerId)
  log.info({ kind: state.kind, ms: at.getTime() - state.createdAt.getTime() }, 'a notice was sent')
  run.countAttempt(step.kind, 'sent')
  return undefined
}

/** The id of the attempt; undefined if another process has begun it. */
function begin({ db, noticeId, at }: Run, state: NoticeState, { attemptId: id, channelId }: Send) {
  if (id === undefined) return attempts.insertOptionalAttempt(db, { noticeId, channelId, at })
  const before = state.attempts.find((one) => one.id === id)?.statusAt ?? at
  return attempts.claimOptionalAttempt(db, { id, before, at })
}

async function call(
  run: Run,
  step: Send,
  attemptId: string,
  { address, heardAt }: OpenChannel,
): Promise<SendResult | undefined> {
  const { noticeId, at, signal } = run
  if (address === undefined) return { status: 'failed', failure: 'no key opens its address' }
  const message = await composeMessage(run, { noticeId, attemptId }, at)
  return run.senders[step.kind]?.(message, address, { id: step.channelId, heardAt }, signal)
}

type OpenChannel = NonNullable<Awaited<ReturnType<typeof openChannel>>>

/** The open address of a channel; undefined if it has ended or its owner said STOP elsewhere. */
async function openChannel({ db, sealer, at }: Run, { channelId: id, kind }: Send) {
  const channel = await channels.selectOptionalChannel(db, id)
  if (!channel) return undefined
  const address = opened(sealer, channel.address, id)
  if (address === undefined) return { address, heardAt: null }
  const digests = channelDigests(sealer, kind, knownAddress(kind, address))
  if (await channels.isOptedOut(db, digests)) {
    await channels.endChannel(db, id, 'stopped', at)
    return undefined
  }
  return { address, heardAt: channel.heard_at }
}

/** Undefined if no key opens it, as after one was dropped from SECRETS_KEY. */
function opened(sealer: Sealer, address: string, channelId: string): string | undefined {
  try {
    return sealer.open(address, channels.channelContext(channelId))
  } catch {
    return undefined
  }
}

/** Decides whether to use this channel again, and when. */
async function afterFailure(
  run: Run,
  state: NoticeState,
  step: Required<Send>,
  error: unknown,
): Promise<Date | undefined> {
  const { attemptId, kind } = step
  const isAgain = state.attempts.some(({ id }) => id === attemptId)
  const mayBeSent = error instanceof OutboundError && error.sent
  // Its provider reports the message if it has it.
  if (mayBeSent && !isIdempotent(kind)) return undefined
  const times = { startedAt: run.at, statusAt: run.at }
  const now = {
    ...times,
    id: attemptId,
    channelId: step.channelId,
    kind,
    status: 'started',
  } as const
  const tried = isAgain ? state : { ...state, attempts: [...state.attempts, now] }
  const again = tryAgainAt(tried, run.tries + 1, run.at)
  if (!again) await record(run, attemptId, 'it could not be sent')
  else if (isAgain) await attempts.putBack(run.db, attemptId)
  else if (!isIdempotent(kind)) await attempts.deleteUnsent(run.db, attemptId)
  return again ?? undefined
}

async function record({ db, at }: Run, attemptId: string, failure: string): Promise<void> {
  const attempt = await attempts.selectOptionalAttempt(db, { attemptId })
  if (!attempt) return
  await transaction(db, (tx) => storeStatus(tx, attempt, { status: 'failed', at, failure }))
}

async function recordSent({ db, at }: Run, attemptId: string, providerId?: string) {
  const attempt = await attempts.selectOptionalAttempt(db, { attemptId })
  if (!attempt) return
  await transaction(db, async (tx) => {
    await storeStatus(tx, attempt, { status: 'sent', at })
    if (providerId) await attempts.updateProviderId(tx, attemptId, providerId)
  })
}
