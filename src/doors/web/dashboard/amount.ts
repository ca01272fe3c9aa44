import { type Html, html } from '../html.ts'

/** An amount or a number in a column: it does not break, and stands at the right. */
export const amount = (text: string | number): Html => html`<span class="amount">${text}</span>`
