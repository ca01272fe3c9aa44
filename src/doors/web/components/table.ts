import { type Html, html } from '../html.ts'

/** Anything that may stand in a cell. */
export type Cell = Html | string | number

/** A table that scrolls in a box of its own; `label` says what it lists to those who cannot see it. A column of buttons has the head ''. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  label = head.join(', '),
): Html => html`
<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${head.map((name) => (name ? html`<th scope="col">${name}</th>` : html`<td></td>`))}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`

/** Terms of one thing with what they are; a row whose cell is null is left out. */
export const facts = (rows: readonly (readonly [term: string, cell: Cell | null])[]): Html => html`
<dl class="facts">${rows.map(([term, cell]) => (cell === null ? html`` : html`<dt>${term}</dt><dd>${cell}</dd>`))}</dl>`
