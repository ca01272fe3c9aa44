import { randomUUID } from 'node:crypto'
import { venueLinkUrl } from '../../src/confirmation/rules/venue-link.ts'
import { applyVenueResponses } from '../../src/confirmation/steps/apply-venue-responses.ts'
import { insertLink } from '../../src/confirmation/store/venue-links.ts'
import { secretsKeys } from '../../src/local/key-files.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createSealer, type Sealer } from '../../src/platform/sealing/sealing.ts'
import { findSlot } from './agent.ts'
import type { Network, Service } from './network.ts'
import type { Doors } from './open-doors.ts'
import { eventually } from './programs.ts'
import { stepDeps } from './terms.ts'

const WEEK = [1, 2, 3, 4, 5, 6, 7]

/** Lets staff confirm at every venue in a category, open around the clock to answer at once. */
export async function staffAllDay(db: Pool, category: string): Promise<void> {
  const windows = WEEK.map((day) => ({ day, open: '00:00', close: '24:00' }))
  await db.query(`update venue set confirm_mode = 'request' where category = $1`, [category])
  await db.query(
    `with opened as (
       insert into service_rules (service_id, version, rules, created_at)
       select r.service_id, r.version + 1, r.rules || jsonb_build_object('windows', $2::jsonb),
         now()
       from service o join venue v on v.id = o.venue_id
       join service_rules r on r.service_id = o.id and r.version = o.rule_version
       where v.category = $1 returning service_id, version)
     update service o set rule_version = opened.version from opened
       where o.id = opened.service_id`,
    [category, JSON.stringify(windows)],
  )
}

/** Makes the fake engine of these doors apply the answers of venues at once. */
export function appliesAtOnce({ db, engine }: Pick<Doors, 'db' | 'engine'>): void {
  engine.venueResponded = async (start) => {
    await applyVenueResponses(db, start, stepDeps, new Date())
  }
}

export const sealerOf = ({ config }: Pick<Network, 'config'>): Sealer =>
  createSealer(secretsKeys(config))

/** A link to the staff page of a venue. */
export async function linkTo(
  service: Pick<Service, 'config' | 'url' | 'db'>,
  venueId: string,
): Promise<string> {
  const link = { id: randomUUID(), venueId, bookingId: null, days: 1, at: new Date() }
  return venueLinkUrl(sealerOf(service), service.url, await insertLink(service.db, link))
}

export type Answer = { status: number; html: string; headers: Headers; url: string }

/** A page as sent to a browser without JavaScript. */
export async function look(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init)
  const { status, headers, url: shown } = response
  return { status, html: await response.text(), headers, url: shown }
}

/** Submits the form for `said` on a booking's page; returns the page that shows its effect. */
export async function answer(
  page: string,
  said: string,
  fields: Record<string, string> = {},
): Promise<Answer> {
  const isEnd = said === 'declined' || said === 'cancelled'
  const under = isEnd || said === 'no_show' ? '/end' : ''
  const { html } = await look(`${page}${said === 'offered' ? '/times' : under}`)
  const reason = isEnd && { reason: 'other' }
  return sendAndRefresh(page, formOf(html, said), { ...reason, ...fields })
}

/** Submits a form and refreshes the resulting page, as it instructs, until it shows the effect. */
export async function sendAndRefresh(
  page: string,
  form: Record<string, string>,
  fields: Record<string, string> = {},
): Promise<Answer> {
  const sent = await send(page, form, fields)
  if (!sent.html.includes(UNDECIDED)) return sent
  return eventually('the effect of the answer', async () => {
    const shown = await look(sent.url)
    return shown.html.includes(UNDECIDED) ? undefined : shown
  })
}

const UNDECIDED = 'Refresh in a moment'

/** The prefilled fields of the form for `said`; throws if there is no such form. */
export function formOf(html: string, said: string): Record<string, string> {
  const [form] = (html.match(/<form[\s\S]*?<\/form>/g) ?? []).filter((one) =>
    one.includes(`name="said" value="${said}"`),
  )
  if (!form) throw new Error(`no form says ${said}:\n${html}`)
  const hidden = form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)
  return Object.fromEntries([...hidden].map(([, name, value]) => [name, value]))
}

export const send = (
  page: string,
  form: Record<string, string>,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Answer> =>
  look(page, { method: 'POST', body: new URLSearchParams({ ...form, ...fields }), headers })

/** The alternative times that staff can offer for a booking. */
export async function timesFor(page: string): Promise<string[]> {
  const { html } = await look(`${page}/times`)
  return [...html.matchAll(/name="slot_time" value="([^"]+)"/g)].map(([, time]) => time ?? '')
}

/** A booking that waits for restaurant staff, and the addresses of their pages. */
export async function requestFromStaff(service: Service, more: Record<string, unknown> = {}) {
  const slot = await findSlot(service.agent, 'restaurant in Bali')
  const asked = { ...slot, wait: 0, guest: { name: 'Ayu <Sari>', phone: '+62 812 3456' }, ...more }
  const headers = { 'idempotency-key': randomUUID() }
  const { status, body } = await service.agent.post('/api/bookings', asked, headers)
  if (status !== 202) throw new Error(`expected 202: ${JSON.stringify(body)}`)
  const list = await linkTo(service, slot.venue_id)
  const id = body.booking.id as string
  return { id, slot, list, page: `${list}/bookings/${id}` }
}
