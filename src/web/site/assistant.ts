import type { Slot } from '../../contract/public.ts'
import { codeTabs, copyable, facts } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import * as shownVenue from './shown-venue.ts'
import { dateWords } from './venue-text.ts'

/** What people call the network when they speak to their assistant. */
const NETWORK = 'venue-network'

/** The links with which assistants add an MCP server, filled in with ours. */
const addLinks = (url: string): Record<string, string> => ({
  Claude: `https://claude.ai/customize/connectors?${new URLSearchParams({
    ...{ modal: 'add-custom-connector', connectorName: NETWORK, connectorUrl: url },
  })}`,
  // cursor.com/docs/mcp/install-links
  Cursor: `https://cursor.com/en/install-mcp?${new URLSearchParams({
    ...{ name: NETWORK, config: btoa(JSON.stringify({ url })) },
  })}`,
  // code.visualstudio.com/api/extension-guides/ai/mcp
  'VS Code': `https://insiders.vscode.dev/redirect/mcp/install?${new URLSearchParams({
    ...{ name: NETWORK, config: JSON.stringify({ type: 'http', url }) },
  })}`,
})

/** `Sat 28 Nov, 19:00 for 2` */
export function slotWhen({ slot_time }: Slot, partySize: number): string {
  const [date = '', clock = ''] = slot_time.split('T')
  return `${dateWords(date)}, ${clock.slice(0, 5)} for ${partySize}`
}

/** The sentence that books the chosen time, or that asks for one. */
function requestSentence(
  { venue, service, partySize }: shownVenue.ShownVenue,
  slot: Slot | undefined,
) {
  const what = service ? `${service} at ${venue.name}` : venue.name
  const when = slot ? slotWhen(slot, partySize) : `for ${partySize}`
  return `Book ${what}, ${venue.area}, ${when}, through ${NETWORK}`
}

/** How to book with an assistant: a sentence for it, how to connect it, and the calls it makes. */
export function assistant(view: shownVenue.ShownVenue): Html {
  const mcp = `${view.publicUrl}/mcp`
  const [slot, chosen] = [shownVenue.exampleSlot(view), shownVenue.chosenSlot(view)]
  const add = Object.entries(addLinks(mcp)).map(
    ([name, href]) => html`<a class="button second" href="${href}" rel="noreferrer">${name}</a> `,
  )
  return html`<h2>Book it with your assistant</h2>
${!chosen && html`<p>Choose a time above, or let your assistant find one.</p>`}
<p>Send this to your assistant:</p>
<p class="sentence">${copyable(requestSentence(view, chosen))}</p>
<p>The first time, add this network to it:</p>
<p class="row">${add}</p>
<p>In <a href="https://chatgpt.com/#settings/Connectors" rel="noreferrer">ChatGPT, Settings →
Apps</a>, turn on <em>Developer mode</em> under <em>Advanced settings</em> and create an app with
this address. It works for other assistants too: ${copyable(mcp)}</p>
<details><summary>For developers</summary>
${
  slot
    ? html`<p>${slotWhen(slot, view.partySize)}:</p>${codeTabs(shownVenue.bookingCalls(view, slot))}
<p class="quiet">Set <code>KEY</code> to <a href="/sign-up">your API key</a> on the pro tier.
Read on: <a href="/docs/bookings">the life of a booking</a>.</p>`
    : html`<p>${shownVenue.NO_SLOT}</p>`
}${facts(shownVenue.developerTerms(view))}</details>`
}
