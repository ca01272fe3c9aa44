import { type Html, html } from '../html.ts'
import type { Cell } from './table.ts'

/** What stands where a list would be, and what to do so that there is one. */
export const empty = (title: string, text: Cell, action?: Html): Html => html`
<div class="empty"><p><strong>${title}</strong></p><p>${text}</p>${action ?? ''}</div>`

/** The way to the next page of a list; nothing on the last one. `href` gives the address for a cursor. */
export const pager = (nextCursor: string | null | undefined, href: (cursor: string) => string) =>
  nextCursor
    ? html`<p class="pager"><a href="${href(nextCursor)}" rel="next">Next page</a></p>`
    : html``
