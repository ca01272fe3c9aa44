import { type Html, html } from '../page/html.ts'

/** Text in which the parts in backticks become code. */
export const withCode = (text: string): Html =>
  html`${text
    .split('`')
    .map((part, nth) => (nth % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`
