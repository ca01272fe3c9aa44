import type { BookingStatus } from '../../base/booking-status.ts'
import type {
  AttemptStatus,
  EndpointStatus,
  ReplayStatus,
  ShownDeliveryStatus,
} from '../../webhooks/rules/statuses.ts'
import { badge, type Tone } from '../page/components.ts'
import type { Html } from '../page/html.ts'
import statusTones from './status-tones.json' with { type: 'json' }

type Status = BookingStatus | EndpointStatus | ShownDeliveryStatus | AttemptStatus | ReplayStatus

const tones = statusTones satisfies Record<Status, string> as Record<Status, Tone>

type DeliveryState = { status: ShownDeliveryStatus; last_attempt: { status: AttemptStatus } | null }

/** A badge with the status of a booking, endpoint, delivery, attempt or replay. */
export const statusBadge = (status: Status): Html =>
  badge(status.replaceAll('_', ' '), tones[status])

/** Shows an active endpoint as failing if its attempts fail. */
export const endpointBadge = (one: { status: EndpointStatus; failing_since: unknown }): Html =>
  one.status === 'active' && one.failing_since !== null
    ? badge('failing', 'bad')
    : statusBadge(one.status)

/** Shows a pending delivery as failing if its last attempt failed. */
export const deliveryBadge = ({ status, last_attempt }: DeliveryState): Html =>
  status === 'pending' && last_attempt?.status === 'failed'
    ? badge('failing', 'bad')
    : statusBadge(status)
