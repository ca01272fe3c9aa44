import { randomUUID } from 'node:crypto'
import { type Html, html } from './html.ts'

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

/** Terms of one thing with what they are. */
export const facts = (rows: readonly (readonly [term: string, cell: Cell])[]): Html => html`
<dl class="facts">${rows.map(([term, cell]) => html`<dt>${term}</dt><dd>${cell}</dd>`)}</dl>`

/** A few figures side by side, each with what it counts. */
export const figures = (rows: readonly (readonly [label: string, value: Cell])[]): Html => html`
<dl class="figures">${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`

/** How something stands, in a word and a colour that says no more than the word. */
export const badge = (word: string, tone: 'good' | 'wait' | 'bad' | 'quiet' = 'quiet'): Html =>
  html`<span class="badge ${tone}">${word}</span>`

/** A moment in UTC to the minute, which a script turns into how long ago that is; a dash for none. */
export function when(at: Date | string | null | undefined): Html {
  if (!at) return html`<span class="quiet">–</span>`
  const iso = new Date(at).toISOString()
  return html`<relative-time><time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time></relative-time>`
}

/** A text to be taken along, with a button for that where scripts run. */
export const copyable = (text: string): Html =>
  html`<copy-button class="copyable"><code>${text}</code></copy-button>`

/** Code to be taken along as it is. */
export const codeBlock = (code: string, label: string): Html =>
  html`<copy-button class="block"><pre tabindex="0" aria-label="${label}"><code>${code}</code></pre></copy-button>`

/** The same in several languages: one below the other, and as tabs where scripts run. */
export const codeTabs = (tabs: readonly { label: string; code: string }[]): Html => html`
<code-tabs>${tabs.map(({ label, code }) => html`<section data-label="${label}"><h3>${label}</h3>${codeBlock(code, label)}</section>`)}</code-tabs>`

/** What stands where a list would be, and what to do so that there is one. */
export const empty = (title: string, text: Cell, action?: Html): Html => html`
<div class="empty"><p><strong>${title}</strong></p><p>${text}</p>${action ?? ''}</div>`

/** The way to the next page of a list; nothing on the last one. `href` gives the address for a cursor. */
export const pager = (nextCursor: string | null | undefined, href: (cursor: string) => string) =>
  nextCursor
    ? html`<p class="pager"><a href="${href(nextCursor)}" rel="next">Next page</a></p>`
    : html``

export type Input = {
  name: string
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'date' | 'search' | 'datetime-local'
  value?: string
  required?: boolean
  autocomplete?: string
  minlength?: number
  maxlength?: number
  min?: string
  max?: string
  placeholder?: string
}

/** A labelled input; `hint` is read out with it. */
export function field(label: string, input: Input, hint?: Cell): Html {
  const { name, type = 'text', required = false, ...rest } = input
  const id = `${name}-${randomUUID().slice(0, 8)}`
  const attributes = Object.entries(rest).map(([key, value]) => html` ${key}="${value}"`)
  return html`<p class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}"${required ? html` required` : ''}${attributes}${hint ? html` aria-describedby="${id}-hint"` : ''}>
${hint ? html`<span class="hint" id="${id}-hint">${hint}</span>` : ''}</p>`
}

/** A labelled choice of one. */
export function choice(
  label: string,
  name: string,
  options: Readonly<Record<string, string>>,
  chosen = '',
): Html {
  const id = `${name}-${randomUUID().slice(0, 8)}`
  const option = ([value, text]: [string, string]) =>
    html`<option value="${value}"${value === chosen ? html` selected` : ''}>${text}</option>`
  return html`<p class="field"><label for="${id}">${label}</label>
<select id="${id}" name="${name}">${Object.entries(options).map(option)}</select></p>`
}
