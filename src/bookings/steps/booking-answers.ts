import { EventEmitter, once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { LRUCache } from 'lru-cache'
import { turnOf } from '../../base/account-time.ts'
import { createFairQueue } from '../../platform/process/fair-queue.ts'
import type {
  BookingStart,
  BookingState,
  ConfirmAnswer,
  Decision,
} from '../rules/booking-messages.ts'

/** The booking worker in the same process as the doors. */
export type LocalWorker = {
  answers: BookingAnswers
  /** shares the worker's connection, so the worker gets the first task of workflows it starts */
  client: Client
}

/**
 * Runs the step that decides a booking, and announces the answer. A step that takes inventory
 * commits when `mayCommit` resolves, and rolls back when it throws.
 */
type Decide = (start: BookingStart, mayCommit?: () => Promise<void>) => Promise<Decision>

/** Calls to venues that begin before their activities; `cancel` ends one not yet taken over. */
type EarlyCalls = { begin(start: BookingStart): void; cancel(bookingId: string): void }

/** A decision for the first task of its workflow; `end` is called when the decision is dropped. */
type EarlyDecision = { deciding: Promise<Decision>; end: () => void }

/** How long a decision waits for its workflow's task. Later tasks read it from the database. */
const BEGUN_MS = 10_000
/**
 * Maximum number of decisions ahead of their workflows, fewer than the tasks a worker runs at once.
 * With more, decisions would outrun Temporal's records, and a task waiting for a worker would wait
 * for all of them.
 */
const MAX_BEGUN = 48
/** Maximum number of decisions made, and locks held, while the workflow starts. */
const MAX_BESIDE = 4
/** How long such decisions wait for the workflow; made only if its last start was as quick. */
const BESIDE_MS = 50

/**
 * Shared by the doors and the worker in one process: decisions that begin while their workflow
 * starts, and their answers for waiting callers. By then the decision is committed and the workflow
 * durable, so nobody has to wait until Temporal has recorded the decision too.
 */
export function createBookingAnswers() {
  const decided = new EventEmitter().setMaxListeners(0)
  const decisions = new LRUCache<string, EarlyDecision>({
    max: MAX_BEGUN,
    ttl: BEGUN_MS,
    ttlAutopurge: true,
    dispose: ({ end }) => end(),
  })
  const inTurn = createFairQueue({ atOnce: MAX_BEGUN, maxWaiting: Number.POSITIVE_INFINITY })
  let decide: Decide | undefined
  let isQuick = true
  let calls: EarlyCalls | undefined

  /** Resolves once the workflow's task has taken the decision or never will. */
  async function decideBeside(start: BookingStart, isStarted: Promise<boolean>): Promise<void> {
    const { bookingId } = start
    const run = decide
    if (!run || decisions.has(bookingId)) return
    const begunAt = performance.now()
    const starting = isStarted.then((isNew) => {
      // Timers count whole milliseconds and may fire one millisecond early.
      isQuick = Math.ceil(performance.now() - begunAt) < BESIDE_MS
      return isNew
    })
    const afterStart = () => requireStart(starting).then(() => run(start))
    const besideStart = () =>
      run(start, () => requireStart(soon(starting))).catch((error) => {
        if (error instanceof NotStarted) return afterStart()
        throw error
      })
    const deciding = isQuick && decisions.size < MAX_BESIDE ? besideStart() : afterStart()
    const { promise: whenTaken, resolve: end } = Promise.withResolvers<void>()
    decisions.set(bookingId, { deciding, end })
    const forget = () => {
      if (decisions.get(bookingId)?.deciding === deciding) decisions.delete(bookingId)
    }
    deciding.then(async ({ state }) => {
      // A workflow that was already running is past its first task, and calls the venue when due.
      if (!(await starting)) forget()
      else if (isVenueAsked(state)) calls?.begin(start)
    }, forget)
    return whenTaken
  }

  return {
    /** Sets how the worker in this process decides. */
    decideWith(worker: Decide) {
      decide = worker
    },
    /**
     * Starts a booking's workflow once few decisions are ahead. Meanwhile, decides the booking for
     * the first task to pick up, but takes nothing until the workflow is durable. Returns false if
     * it was already running, failed to start or got no turn: an update reports errors better.
     */
    begin(start: BookingStart, startNew: () => Promise<boolean>): Promise<boolean> {
      const { promise: isStarted, resolve } = Promise.withResolvers<boolean>()
      inTurn(turnOf(start), () => {
        const starting = startNew().catch(() => false)
        resolve(starting)
        return decideBeside(start, starting)
      }).catch(() => resolve(false))
      return isStarted
    },
    /** Hands over the early decision, once. */
    takeBegun(bookingId: string): Promise<Decision> | undefined {
      const running = decisions.get(bookingId)
      decisions.delete(bookingId)
      return running?.deciding
    },
    /** Sets how the worker in this process calls venues. */
    callVenuesWith(worker: EarlyCalls) {
      calls = worker
    },
    /** Cancels the early call, because the agent has given a command that comes first. */
    cancelCall(bookingId: string) {
      calls?.cancel(bookingId)
    },
    announce(bookingId: string, answer: ConfirmAnswer | null) {
      if (answer) decided.emit(bookingId, answer)
    },
    /** The answer of `ask`, or one announced earlier; then aborts the signal of `ask`. */
    async first<A>(
      bookingId: string,
      ask: (isAnswered: AbortSignal) => Promise<A>,
    ): Promise<A | ConfirmAnswer> {
      const isAnswered = new AbortController()
      const { signal } = isAnswered
      const announced = once(decided, bookingId, { signal }).then(([answer]) => answer)
      announced.catch(() => {})
      const answering = ask(signal)
      answering.catch(() => {})
      try {
        return await Promise.race([announced as Promise<ConfirmAnswer>, answering])
      } finally {
        isAnswered.abort()
      }
    },
  }
}

export type BookingAnswers = ReturnType<typeof createBookingAnswers>

const isVenueAsked = (state: BookingState | null) =>
  state?.status === 'pending' && state.confirmMode !== 'request'

class NotStarted extends Error {}

const soon = (isStarted: Promise<boolean>) =>
  Promise.race([isStarted, setTimeout(BESIDE_MS, false, { ref: false })])

async function requireStart(isStarted: Promise<boolean>): Promise<void> {
  if (!(await isStarted)) throw new NotStarted()
}
