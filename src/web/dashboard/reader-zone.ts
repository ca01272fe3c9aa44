import type { FastifyRequest } from 'fastify'
import { DAY_MS } from '../../base/durations.ts'
import { toInstantPastGap, toLocal, utcOffset } from '../../base/local-time.ts'
import { isTimeZone } from '../../base/time-zones.ts'
import type { Filter } from '../page/filters.ts'
import { type Html, html } from '../page/html.ts'
import { dateText, localText } from '../page/times.ts'

/** The cookie in which `time-zone.js` stores the browser's time zone. */
const COOKIE = /(?:^|;\s*)time_zone=([^;]+)/

/** The reader's time zone: the browser's, or UTC. */
export function zoneOf({ headers }: FastifyRequest): string {
  const zone = COOKIE.exec(headers.cookie ?? '')?.[1]
  return zone && isTimeZone(zone) ? zone : 'UTC'
}

/** `Asia/Makassar, UTC+08:00`. */
export const zoneText = (zone: string, at: Date): string =>
  zone === 'UTC' ? 'UTC' : `${zone}, UTC${utcOffset(zone, at)}`

const TIME = /<time datetime="([^"]+)">[^<]*<\/time>/g

/**
 * Shows each time on a page in the given zone, followed by UTC. The functions that render pages do
 * not know the reader, so they use UTC.
 */
export function inZone({ markup }: Html, zone: string): Html {
  return { markup: markup.replaceAll(TIME, (_, iso: string) => timeIn(zone, iso).markup) }
}

function timeIn(zone: string, iso: string): Html {
  if (zone === 'UTC') return html`<time datetime="${iso}">${localText(iso)} UTC</time>`
  const local = toLocal(zone, new Date(iso))
  const isSameDay = local.slice(0, 10) === iso.slice(0, 10)
  const utc = isSameDay ? iso.slice(11, 16) : `${dateText(iso).slice(0, -5)}, ${iso.slice(11, 16)}`
  return html`<time datetime="${iso}">${localText(local)}</time>
<small class="aside">${utc} UTC</small>`
}

/** Converts the `datetime-local` fields of a list's filter in the reader’s zone to instants. */
export const zonedTimes = (request: FastifyRequest, { from, until }: Omit<Times, 'daysBack'>) => ({
  from: instantIn(zoneOf(request), from),
  until: instantIn(zoneOf(request), until),
})

/** Converts a `datetime-local` field in a zone to an instant. Other text is left to the schema. */
export function instantIn(zone: string, text: string | undefined): string | undefined {
  if (!text || !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return text
  const local = text.length === 16 ? `${text}:00` : text
  if (Number.isNaN(Date.parse(`${local}Z`))) return text
  return toInstantPastGap(zone, local).toISOString()
}

type Times = {
  from?: string
  until?: string
  /** how far back the list reaches */
  daysBack: number
}

/** The time filters of a list, in the reader’s zone. */
export function timeFilters(request: FastifyRequest, { from, until, daysBack }: Times): Filter[] {
  const zone = zoneOf(request)
  const local = (ms: number) => toLocal(zone, new Date(ms)).slice(0, 16)
  // A link may contain a UTC instant instead of a local time.
  const fieldValue = (text = '') => (text.endsWith('Z') ? local(Date.parse(text)) : text)
  const now = Date.now()
  const min = `${local(now - daysBack * DAY_MS).slice(0, 10)}T00:00`
  const max = `${local(now).slice(0, 10)}T23:59`
  const common = { type: 'datetime-local', min, max } as const
  return [
    { label: `From (${zone})`, name: 'from', value: fieldValue(from), ...common },
    { label: 'Until', name: 'until', value: fieldValue(until), ...common },
  ]
}
