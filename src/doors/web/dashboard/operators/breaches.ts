import { readLatestBreaches } from '../../../../guarantee/operations/read-record.ts'
import { tariff } from '../../../../guarantee/rules/tariff.ts'
import * as ui from '../../components.ts'
import { html } from '../../html.ts'
import type { Page } from '../page-kit.ts'
import { accountLink, OPERATORS, showOperators } from './kit.ts'

type Found = Awaited<ReturnType<typeof readLatestBreaches>>[number]

/** `/dashboard/operators/guarantee`: the latest breaches of the guarantee, and why. */
export const breaches: Page = async (scope, { services }) => {
  scope.get(`${OPERATORS}/guarantee`, async (_, reply) => {
    const found = await readLatestBreaches(services)
    const none = ui.empty('No breach', 'Every promise of the guarantee was kept.')
    const body = html`
<p>The latest breaches of the <a href="/docs/guarantees#the-tariff">guarantee</a> in all accounts.
A query over stored rows finds them every 15 s. Each is credited automatically.</p>
${ui.listTable('Breaches', found, columns, none)}`
    return showOperators(reply, ['Guarantee', 'Guarantee'], body)
  })
}

const columns: ui.Columns<Found> = {
  Booking: ({ booking_id }) =>
    ui.rowLink(`${OPERATORS}/bookings/${booking_id}`, `…${booking_id.slice(-8)}`),
  Account: accountLink,
  Promise: ({ promise }) => tariff[promise].title,
  Why: ({ why }) => why,
  Broken: ({ broken_at }) => ui.when(broken_at),
  Found: ({ found_at }) => ui.when(found_at),
  Credit: ({ is_demo, credit_text }) => ui.figure(is_demo ? 'demo' : credit_text),
}
