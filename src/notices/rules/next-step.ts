import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../base/durations.ts'
import { type ChannelKind, isIdempotent, reportsDelivery } from './channel.ts'
import { isRequest, type NoticeKind } from './message.ts'
import { hasReached, type MessageStatus } from './message-status.ts'

/**
 * How a notice ended: the person saw it, somebody answered, the time was over, a channel took a
 * notice that needs no answer, no channel did, or an operator stopped it.
 */
export const noticeEnds = ['seen', 'answered', 'late', 'told', 'unreachable', 'stopped'] as const
export type NoticeEnd = (typeof noticeEnds)[number]

type Attempt = {
  id: string
  channelId: string
  kind: ChannelKind
  status: MessageStatus
  startedAt: Date
  /** of an attempt that is `started`: when it was last sent */
  statusAt: Date
  /** failed for a reason that may pass */
  isTemporary?: boolean
}

/** What decides about the next step of a notice. */
export type NoticeState = {
  kind: NoticeKind
  createdAt: Date
  notBefore: Date
  answerBy: Date | null
  ended: NoticeEnd | null
  /** the request is decided, withdrawn or asked in another form, or a later notice says more */
  isAnswered: boolean
  isRemoved: boolean
  /** by their start */
  attempts: readonly Attempt[]
  /** usable ones, in the order in which they are tried */
  channels: readonly { id: string; kind: ChannelKind }[]
}

/**
 * The next step: `send` by a channel, or an attempt again under its own id, so that statuses and
 * presses of either message count; `fail` an attempt of which nothing was heard.
 */
export type NoticeStep =
  | { do: 'end'; reason: NoticeEnd }
  | { do: 'wait'; until: Date }
  | { do: 'send'; channelId: string; kind: ChannelKind; attemptId?: string }
  | { do: 'fail'; attemptId: string }

/** How long an unfinished message that must not be sent twice may be confirmed by its provider. */
const UNKNOWN_MS = 30 * SECOND_MS
/** How long a message that needs no answer may fail after the provider accepted it. */
const REPORTED_MS = 15 * MINUTE_MS
/** Until when a notice that needs no answer is worth sending. */
const MAX_AGE_MS = DAY_MS
/** Each channel has this part of the time to answer before the next is used, too. */
const PART = 1 / 3

/** Decides what is next; `isHurried` skips the wait for a person who has not seen the notice. */
export function nextStep(state: NoticeState, at: Date, isHurried = false): NoticeStep {
  const reason = endOf(state, at)
  if (reason) return { do: 'end', reason }
  if (at < state.notBefore) return { do: 'wait', until: state.notBefore }
  const latest = state.attempts.at(-1)
  const open = state.attempts.find(({ status }) => status === 'started')
  if (open) return unfinished(state, open, at)
  if (!latest || latest.status === 'failed') return byNextChannel(state, at)
  const due = settledAt(state, latest)
  if (!isHurried && at < due) return { do: 'wait', until: due }
  return isHurried || isRequest(state.kind)
    ? byNextChannel(state, at)
    : { do: 'end', reason: 'told' }
}

function endOf(state: NoticeState, at: Date): NoticeEnd | undefined {
  const { kind, attempts, ended } = state
  if (ended) return ended
  if (state.isRemoved) return 'unreachable'
  const reached = (status: MessageStatus) => attempts.some((one) => hasReached(one.status, status))
  if (state.isAnswered) return 'answered'
  if (reached('read')) return 'seen'
  if (!isRequest(kind) && reached('delivered')) return 'told'
  return at >= overAt(state) ? (!isRequest(kind) && reached('sent') ? 'told' : 'late') : undefined
}

/** When the notice is over, whoever was told. */
const overAt = ({ answerBy, notBefore }: Pick<NoticeState, 'answerBy' | 'notBefore'>): Date =>
  answerBy ?? new Date(notBefore.getTime() + MAX_AGE_MS)

/** Uses the next channel; if there is none, waits for those that have accepted the message. */
function byNextChannel(state: NoticeState, at: Date): NoticeStep {
  const { kind, attempts } = state
  const next = otherChannel(state)
  if (next) return { do: 'send', channelId: next.id, kind: next.kind }
  const isOut = attempts.some(({ status }) => hasReached(status, 'sent'))
  if (!isOut) return onceMore(state, at)
  return isRequest(kind) ? { do: 'wait', until: overAt(state) } : { do: 'end', reason: 'told' }
}

/** Sends again what failed for a reason that may pass, after a pause that doubles. */
function onceMore({ channels, attempts }: NoticeState, at: Date): NoticeStep {
  const failed = attempts.find(
    ({ isTemporary, channelId }) => isTemporary && channels.some(({ id }) => id === channelId),
  )
  if (!failed) return { do: 'end', reason: 'unreachable' }
  const { id: attemptId, channelId, kind, startedAt, statusAt } = failed
  const since = statusAt.getTime() - startedAt.getTime()
  const pause = Math.min(Math.max(since, SECOND_MS), MAX_PAUSE_MS)
  const until = new Date(statusAt.getTime() + pause)
  return at < until ? { do: 'wait', until } : { do: 'send', channelId, kind, attemptId }
}

/** The first channel that was not tried. */
const otherChannel = ({ channels, attempts }: NoticeState) =>
  channels.find(({ id }) => attempts.every(({ channelId }) => channelId !== id))

/** The process ended between a call and its record, or another one is calling. */
function unfinished(state: NoticeState, attempt: Attempt, at: Date): NoticeStep {
  const { id: attemptId, channelId, kind, startedAt, statusAt } = attempt
  const isUsable = state.channels.some(({ id }) => id === channelId)
  if (isUsable && isIdempotent(kind)) return { do: 'send', channelId, kind, attemptId }
  const until = new Date(statusAt.getTime() + UNKNOWN_MS)
  if (isUsable && at < until) return { do: 'wait', until }
  if (!isUsable || otherChannel(state)) return { do: 'fail', attemptId }
  // Twice is better than never, if there is no other way; more often is not.
  if (statusAt > startedAt) return { do: 'wait', until: overAt(state) }
  return { do: 'send', channelId, kind, attemptId }
}

/** Until when a channel that has accepted the message is the only one. */
function settledAt(state: NoticeState, { kind, startedAt, statusAt }: Attempt): Date {
  const { createdAt, answerBy } = state
  if (isRequest(state.kind)) {
    const part = (overAt(state).getTime() - createdAt.getTime()) * PART
    return earliest(new Date(startedAt.getTime() + part), answerBy)
  }
  return reportsDelivery(kind) ? new Date(statusAt.getTime() + REPORTED_MS) : statusAt
}

const earliest = (one: Date, other: Date | null) => (other && other < one ? other : one)

/** After this many failures in a row, another channel is used if there is one. */
const MAX_TRIES = 4
const MAX_PAUSE_MS = 60 * SECOND_MS

/** When to try again after a temporary failure; null: use another channel. */
export function tryAgainAt(state: NoticeState, tries: number, at: Date): Date | null {
  if (tries >= MAX_TRIES && otherChannel(state)) return null
  return new Date(at.getTime() + Math.min(SECOND_MS * 2 ** (tries - 1), MAX_PAUSE_MS))
}
