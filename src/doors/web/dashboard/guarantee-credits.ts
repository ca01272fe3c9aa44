import { tariff } from '../../../guarantee/rules/tariff.ts'
import type { Breach } from '../../../guarantee/schema/guarantee.ts'
import * as ui from '../components.ts'
import { type Html, html } from '../html.ts'

/** The credits of the guarantee on the page of usage and fees. */
export const guaranteeCredits = (breaches: readonly Breach[]): Html => html`
<h2 id="guarantee">Guarantee</h2>
<p>When we break a promise of the <a href="/docs/guarantees#the-tariff">guarantee</a>, we credit
your next invoice. You do not need to ask.</p>
${
  breaches.length === 0
    ? ui.note('We have kept every promise so far.')
    : ui.listTable('Credits', breaches, columns)
}`

const columns: ui.Columns<Breach> = {
  Booking: ({ booking_id }) =>
    ui.rowLink(`/dashboard/bookings/${booking_id}`, `…${booking_id.slice(-8)}`),
  Promise: ({ promise }) => tariff[promise].title,
  Why: ({ why }) => why,
  When: ({ broken_at }) => ui.when(broken_at),
  Credit: ({ is_demo, credit_text }) => ui.figure(is_demo ? 'demo, none' : credit_text),
}
