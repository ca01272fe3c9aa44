import * as ui from '../../components.ts'
import { html } from '../../html.ts'
import { type Page, showPage } from '../page-kit.ts'

/** `/dashboard/support`: where to look first, and what to quote. */
export const support: Page = async (scope) => {
  scope.get('/dashboard/support', async (request, reply) => {
    const body = html`
<h2>Look here first</h2>
<ul>
<li>${ui.link('/status', 'Status')} says whether every part of the network works.</li>
<li>${ui.link('/dashboard/requests', 'Requests')} has the calls of the last 7 days, and
${ui.link('/errors', 'Errors')} says what to do about each code.</li>
<li>${ui.link('/dashboard/deliveries?status=failing', 'Failing deliveries')} say why an endpoint did
not accept them.</li>
<li>${ui.link('/docs', 'Docs')} has a guide for each task.</li>
</ul>
<h2>Ask a person</h2>
<p>Write to the operator of this network. Quote the id of the request, which every answer has in
<code>X-Request-Id</code>, or of the booking or delivery, and your account:</p>
${ui.facts([
  ['Account', ui.copyable(request.keyHolder?.id ?? '')],
  ['Email', request.developer?.email ?? null],
])}`
    return showPage(reply, 'Support', body)
  })
}
