import { networkProfile } from '../../base/network.ts'
import { retrySchedule } from '../../webhooks/rules/retry-schedule.ts'
import { shortUrl } from '../../webhooks/rules/short-url.ts'

/** An endpoint as the email to its owner describes it. */
export type ReportedEndpoint = {
  id: string
  url: string
  status: 'active' | 'disabled'
  status_reason: string | null
  failing_since: Date | null
}

/** The email to the owner of endpoints that are failing or were disabled. */
export function endpointMail(endpoints: readonly ReportedEndpoint[], publicUrl: string) {
  const [first] = endpoints
  const state = endpoints.every(({ status }) => status === 'disabled') ? 'disabled' : 'failing'
  const what =
    endpoints.length === 1 && first
      ? `Webhook endpoint ${state}: ${shortUrl(first.url)}`
      : `${endpoints.length} webhook endpoints need attention`
  const lines = endpoints.flatMap((one) => [
    shortUrl(one.url),
    stateOf(one),
    `${publicUrl}/dashboard/webhooks/${one.id}`,
    '',
  ])
  const help =
    'No event is lost. Fix the receiver, then press “Retry all failing” on the page of the ' +
    'endpoint. If it is disabled, enable it first.'
  const text = [...lines, help, '', `${networkProfile.name}, ${publicUrl}\n`].join('\n')
  return { subject: what, text }
}

function stateOf({ status, status_reason, failing_since }: ReportedEndpoint): string {
  const since = failing_since ? ` since ${minute(failing_since)}` : ''
  if (status === 'active') {
    return (
      `Every delivery has failed${since}. Each event is tried ${retrySchedule.attempts} times; ` +
      `after ${retrySchedule.disableDays} days of failures the endpoint is disabled.`
    )
  }
  const why: Record<string, string> = {
    gone: 'Disabled, because it answered 410 (gone).',
    operator: 'Disabled by the network’s operator.',
  }
  const failing = `Disabled, because every delivery has failed${since}.`
  return `${why[status_reason ?? ''] ?? failing} New events are held.`
}

const minute = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
