import type { apiKey } from '../../src/accounts/schema/keys.ts'
import type { offer, plan } from '../../src/accounts/schema/plan.ts'
import type {
  dayOfCalls,
  loggedCall,
  monthOfUse,
  quotaToday,
  requestDetails,
} from '../../src/accounts/schema/usage.ts'
import type { feeEntry, monthlyFees } from '../../src/bookings/schema/fees.ts'
import type { timeline } from '../../src/bookings/schema/timeline.ts'
import type { testClock } from '../../src/clocks/schema/test-clocks.ts'
import type { Alternative } from '../../src/contract/alternative.ts'
import type { Interpretation } from '../../src/contract/interpretation.ts'
import type {
  Booking,
  cancellation,
  DayAvailability,
  OwnBooking,
  Venue,
  venueRef,
} from '../../src/contract/public.ts'
import type { balance } from '../../src/ledger/schema/balance.ts'
import type { invoice, invoiceLine } from '../../src/ledger/schema/invoices.ts'
import type { due, payment } from '../../src/payments/schema.ts'
import type { watch } from '../../src/waitlist/schema.ts'
import type { Attempt, Delivery } from '../../src/webhooks/schema/deliveries.ts'
import type { Endpoint, sentAttempt } from '../../src/webhooks/schema/endpoints.ts'
import type { Event } from '../../src/webhooks/schema/events.ts'
import type { Replay, ReplayCounts } from '../../src/webhooks/schema/replays.ts'

// Types of REST answers, from the server's schemas; types only, no server code.
type Output<S extends { _zod: { output: unknown } }> = S['_zod']['output']

export type { Alternative, Attempt, Booking, Delivery, Endpoint, Replay, Venue }

export type Cancellation = Output<typeof cancellation>
type SentAttempt = Output<typeof sentAttempt>
export type Timeline = Output<typeof timeline>

export type FoundVenues = {
  venues: Venue[]
  interpretation: Interpretation
  next_cursor: string | null
}
export type VenueDays = {
  venue: Output<typeof venueRef>
  timezone: string
  party_size: number
  services: Venue['services']
  days: DayAvailability[]
}
export type OneBooking = {
  booking: Booking & Partial<Pick<OwnBooking, 'place' | 'guest_url'>>
  status?: string
  cancellation?: Cancellation
  amended?: { from: { slot_time: string; party_size: number } }
  replayed?: boolean
  joined?: boolean
  next?: string
}
export type Bookings = { bookings: Booking[]; next_cursor: string | null }
export type OneEndpoint = {
  endpoint: Endpoint
  status?: string
  secret?: string
  attempt?: SentAttempt
  released?: number
  discarded?: number
  next?: string
}
export type Deliveries = { deliveries: Delivery[]; next_cursor: string | null }
export type OneDelivery = { delivery: Delivery; body: string | null; attempts: Attempt[] }
export type RetriedDelivery = {
  status: string
  delivery: Delivery
  attempt: Attempt | null
  next?: string
}
export type TestSent = { event_id: string; delivery_id: string | null; next: string }
export type ReplayMade = { counts?: ReplayCounts; replay: Replay | null; next: string }
export type FollowedEvent = Event
export type Events = { events: FollowedEvent[]; next_after: number; last_number: number }
export type Replays = { replays: Replay[]; next_cursor: string | null }
export type Clock = Output<typeof testClock>
export type Clocks = { test_clocks: Clock[] }
export type OneClock = { status?: string; test_clock: Clock; raw_key?: string; next?: string }
export type LoggedRequest = Output<typeof loggedCall>
export type Requests = { requests: LoggedRequest[]; next_cursor: string | null }
export type OneRequest = Output<typeof requestDetails>
export type Fees = {
  entries: Output<typeof feeEntry>[]
  totals: Output<typeof monthlyFees>[]
  next_cursor: string | null
}
export type Balances = { balances: Output<typeof balance>[] }
export type Invoice = Output<typeof invoice>
export type Invoices = { invoices: Invoice[]; next_cursor: string | null }
export type OneInvoice = {
  invoice: Invoice
  lines: Output<typeof invoiceLine>[]
  lines_left_out: number
}
export type Due = Output<typeof due>
export type Payment = Output<typeof payment>
export type Payments = {
  collects: boolean
  has_card: boolean
  due: Due[]
  payments: Payment[]
  next_cursor: string | null
}
export type ApiKey = Output<typeof apiKey>
export type Keys = { keys: ApiKey[]; next_cursor: string | null }
export type OneKey = { key: ApiKey; raw_key?: string; previous?: ApiKey }
export type OnePlan = { plan: Output<typeof plan>; offers?: Output<typeof offer>[] }
export type Usage = {
  today: Output<typeof quotaToday>
  days: Output<typeof dayOfCalls>[]
  month: Output<typeof monthOfUse>
}
export type Watch = Output<typeof watch>
export type Watches = { watches: Watch[]; next_cursor: string | null }
export type OneWatch = { watch: Watch; next?: string }
