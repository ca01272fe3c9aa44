import type { BookingStatus } from '../../../contract/rules/booking-status.ts'
import type {
  AttemptStatus,
  EndpointStatus,
  ReplayStatus,
  ShownDeliveryStatus,
} from '../../../webhooks/rules/statuses.ts'
import { badge } from '../components/badge.ts'
import type { Html } from '../html.ts'

type Tone = Parameters<typeof badge>[1]

const bookingTones: Record<BookingStatus, Tone> = {
  held: 'wait',
  pending: 'wait',
  offered: 'wait',
  confirmed: 'good',
  completed: 'good',
  no_show: 'bad',
  declined: 'bad',
  expired: 'bad',
  released: 'quiet',
  cancelled: 'quiet',
  failed: 'bad',
}
const deliveryTones: Record<ShownDeliveryStatus, Tone> = {
  pending: 'wait',
  sending: 'wait',
  delivered: 'good',
  failed: 'bad',
  held: 'wait',
  expired: 'bad',
  discarded: 'quiet',
}
const attemptTones: Record<AttemptStatus, Tone> = {
  sending: 'wait',
  succeeded: 'good',
  failed: 'bad',
  unknown: 'quiet',
}
const endpointTones: Record<EndpointStatus, Tone> = {
  unverified: 'wait',
  active: 'good',
  paused: 'quiet',
  disabled: 'bad',
}
const replayTones: Record<ReplayStatus, Tone> = {
  running: 'wait',
  paused: 'quiet',
  cancelled: 'quiet',
  completed: 'good',
}

/** Where something stands, as a coloured word; the colours mean the same on every page. */
export const bookingBadge = (status: BookingStatus): Html => badge(status, bookingTones[status])
export const deliveryBadge = (status: ShownDeliveryStatus): Html =>
  badge(status, deliveryTones[status])
export const attemptBadge = (status: AttemptStatus): Html => badge(status, attemptTones[status])
export const replayBadge = (status: ReplayStatus): Html => badge(status, replayTones[status])

/** An endpoint that is active and fails all the same is not shown as good. */
export const endpointBadge = (status: EndpointStatus, isFailing: boolean): Html =>
  status === 'active' && isFailing ? badge('failing', 'bad') : badge(status, endpointTones[status])
