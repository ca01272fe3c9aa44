import type { FastifyRequest } from 'fastify'
import { toInstantPastGap, toLocal, utcOffset } from '../../../contract/rules/local-time.ts'
import { isTimeZone } from '../../../contract/rules/time-zones.ts'
import { type Html, html } from '../html.ts'
import { dateText, localText } from '../times.ts'

/** The cookie in which `time-zone.js` says the zone of the browser. */
const COOKIE = /(?:^|;\s*)time_zone=([^;]+)/

/** The zone of the reader’s browser, if it said one. */
export function browserZone({ headers }: FastifyRequest): string | undefined {
  const said = COOKIE.exec(headers.cookie ?? '')?.[1]
  return said && isTimeZone(said) ? said : undefined
}

/** The zone in which the reader reads times: the setting, that of the browser, or UTC. */
export const zoneOf = (request: FastifyRequest): string =>
  request.developer?.time_zone ?? browserZone(request) ?? 'UTC'

/** `Asia/Makassar, UTC+08:00`. */
export const zoneText = (zone: string, at: Date): string =>
  zone === 'UTC' ? 'UTC' : `${zone}, UTC${utcOffset(zone, at)}`

const TIME = /<time datetime="([^"]+)">[^<]*<\/time>/g

/**
 * Shows each time of a page in a zone, with UTC beside it. Pages are written in UTC by functions
 * that do not know their reader.
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

/** The instant of a `datetime-local` field in the reader’s zone. Other texts are left alone. */
export function zonedInstant(request: FastifyRequest, text: string | undefined) {
  if (!text || !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return text
  const local = text.length === 16 ? `${text}:00` : text
  if (Number.isNaN(Date.parse(`${local}Z`))) return text
  return toInstantPastGap(zoneOf(request), local).toISOString()
}

/** A moment as a `datetime-local` field of the reader’s zone has it. */
export const fieldTime = (request: FastifyRequest, at: Date): string =>
  toLocal(zoneOf(request), at).slice(0, 16)
