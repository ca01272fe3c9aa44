import { link } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { localText } from '../page/times.ts'

type Slot = { slot_time: string; timezone: string }

/** A slot in its venue's local time, with the zone below it. `href` makes it a link. */
export function slotCell({ slot_time, timezone }: Slot, href?: string): Html {
  const time = href ? link(href, localText(slot_time)) : localText(slot_time)
  return html`<span class="nowrap">${time}</span> <span class="zone-name">${timezone}</span>`
}

/** A slot in its venue's local time, for use in a sentence. */
export const slotText = ({ slot_time, timezone }: Slot): string =>
  `${localText(slot_time)} (${timezone})`
