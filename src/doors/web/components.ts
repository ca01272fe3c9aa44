import { randomUUID } from 'node:crypto'
import { type Html, html } from './html.ts'

/** What a table cell takes. */
export type Cell = Html | string | number

export type Tone = 'good' | 'wait' | 'bad' | 'quiet'

/** A status as a coloured word. The colour repeats what the word says. */
export const badge = (word: string, tone: Tone = 'quiet'): Html =>
  html`<span class="badge ${tone}">${word}</span>`

/** Grey text inside a line. */
export const quiet = (text: Cell): Html => html`<span class="quiet">${text}</span>`

/** A paragraph in grey. */
export const note = (text: Cell): Html => html`<p class="quiet">${text}</p>`

export const link = (href: string, text: Cell): Html => html`<a href="${href}">${text}</a>`

/** A value with a copy button, which needs JavaScript. */
export const copyable = (text: string): Html =>
  html`<copy-button class="copyable"><code>${text}</code></copy-button>`

export const codeBlock = (
  code: string | Html,
  label: string,
): Html => html`<copy-button class="block"
  ><pre tabindex="0" aria-label="${label}"><code>${code}</code></pre></copy-button>`

/** One example in several languages: sections without JavaScript, tabs with it. */
export const codeTabs = (tabs: readonly { label: string; code: string | Html }[]): Html => html`
<code-tabs>${tabs.map(
  ({ label, code }) =>
    html`<section data-label="${label}"><h3>${label}</h3>${codeBlock(code, label)}</section>`,
)}</code-tabs>`

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2)

/** A table that scrolls sideways. `rows` are `tr` elements, `label` names it for screen readers. */
export const tableOf = (
  head: readonly string[],
  rows: readonly Html[],
  label: string,
): Html => html`
<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${head.map((name) =>
  name ? html`<th scope="col">${name}</th>` : html`<td></td>`,
)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`

const cells = (row: readonly Cell[]): Html[] => row.map((cell) => html`<td>${cell}</td>`)

/** A table of cells. A column without a name has the head ''. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  label = head.join(', '),
): Html =>
  tableOf(
    head,
    rows.map((row) => html`<tr>${cells(row)}</tr>`),
    label,
  )

/** What a table shows of one item, by the name of the column. */
export type Columns<T> = Readonly<Record<string, (item: T) => Cell>>

/** Items as a table, or `none` when there are none. */
export const listTable = <T>(
  label: string,
  items: readonly T[],
  columns: Columns<T>,
  none = html``,
): Html =>
  items.length === 0
    ? none
    : table(
        Object.keys(columns),
        items.map((item) => Object.values(columns).map((cell) => cell(item))),
        label,
      )

/** The parts of a page, each with an address of its own. `current` is one of the names. */
export const tabs = (
  label: string,
  links: Readonly<Record<string, string>>,
  current: string,
): Html => html`
<nav class="tabs" aria-label="${label}"><ul>${Object.entries(links).map(
  ([name, href]) =>
    html`<li><a href="${href}"${name === current && html` aria-current="page"`}>${name}</a></li>`,
)}</ul></nav>`

/** Names with their values. Rows whose value is null are left out. */
export const facts = (rows: readonly (readonly [term: string, cell: Cell | null])[]): Html => html`
<dl class="facts">${rows.map(
  ([term, cell]) => cell !== null && html`<dt>${term}</dt><dd>${cell}</dd>`,
)}</dl>`

/** Stands in place of an empty list and says how to fill it. */
export const empty = (title: string, text: Cell, action?: Html): Html => html`
<div class="empty"><p><strong>${title}</strong></p><p>${text}</p>${action}</div>`

/** The link to the next page of a list; `href` gives the address for a cursor. */
export const pager = (cursor: string | null | undefined, href: (cursor: string) => string): Html =>
  html`${cursor && html`<p class="pager"><a href="${href(cursor)}" rel="next">Next page</a></p>`}`

/** A time in UTC, to the minute. A script shows it as relative. A dash for none. */
export const when = (at: Date | string | null | undefined): Html =>
  at ? html`<relative-time>${exactly(at)}</relative-time>` : quiet('–')

/** A time in UTC, to the minute, inside a sentence. */
export function exactly(at: Date | string): Html {
  const iso = new Date(at).toISOString()
  return html`<time datetime="${iso}">${minuteText(iso)} UTC</time>`
}

/** A local or UTC time to the minute: `2026-12-24 19:00`. */
export const minuteText = (slotTime: string): string => slotTime.slice(0, 16).replace('T', ' ')

/** A number with separators: `10,000`. */
export const grouped = (number: number): string => number.toLocaleString('en')

type Attribute = 'type' | 'autocomplete' | 'min' | 'max' | 'minlength' | 'maxlength' | 'placeholder'
type Input = { name: string; value?: string | undefined; required?: boolean } & {
  [name in Attribute]?: string | number
}

/** A labelled input. Screen readers read `hint` with it. */
export function field(label: string, input: Input, hint?: Cell): Html {
  const { name, type = 'text', required = false, value = '', ...rest } = input
  const id = newId(name)
  const attributes = Object.entries({ value, ...rest }).map(
    ([key, text]) => html` ${key}="${text}"`,
  )
  return html`<p class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}"${required && html` required`}${attributes}${
    hint && html` aria-describedby="${id}-hint"`
  }>
${hint && html`<span class="hint" id="${id}-hint">${hint}</span>`}</p>`
}

/** A labelled text of several lines. */
export function textArea(
  label: string,
  { name, value = '', rows }: { name: string; value?: string | undefined; rows: number },
  hint?: Cell,
): Html {
  const id = newId(name)
  return html`<p class="field"><label for="${id}">${label}</label>
<textarea id="${id}" name="${name}" rows="${rows}" required spellcheck="false" autocomplete="off"${
    hint && html` aria-describedby="${id}-hint"`
  }>${value}</textarea>
${hint && html`<span class="hint" id="${id}-hint">${hint}</span>`}</p>`
}

/** A labelled select. */
export function choice(
  label: string,
  name: string,
  options: Readonly<Record<string, string>>,
  chosen = '',
): Html {
  const id = newId(name)
  const option = ([value, text]: [string, string]) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`
  return html`<p class="field"><label for="${id}">${label}</label>
<select id="${id}" name="${name}">${Object.entries(options).map(option)}</select></p>`
}

const newId = (name: string) => `${name}-${randomUUID().slice(0, 8)}`

/** Options of a filter: `All`, then each word. */
export const anyOf = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries([['', 'All'], ...words.map((word) => [word, word])])

export const checkbox = (label: string, name: string, value: string, isChecked = false): Html =>
  html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${
    isChecked && html` checked`
  }> ${label}</label>`

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

/** Identifies a submission: operations take it as idempotency key. */
export const formId = (): Html => hidden('form', randomUUID())

/** Why a form was not accepted. */
export const alert = (text: string | undefined): Html =>
  html`${text !== undefined && html`<p role="alert">${text}</p>`}`

type ActionLook = { more?: Html; tone?: 'main' | 'danger' }

/** A button that submits one action, with the fields `more`. */
export const actionForm = (action: string, button: string, { more, tone }: ActionLook = {}): Html =>
  html`
<form class="row" method="post" action="${action}">${formId()}${more}<button${
    tone && html` class="${tone}"`
  }>${button}</button></form>`

/** A form whose fields stand below each other. */
export const stackForm = (
  action: string,
  button: string,
  fields: readonly Html[],
  tone?: ActionLook['tone'],
): Html => html`
<form class="stack" method="post" action="${action}">${fields}
<button${tone && html` class="${tone}"`}>${button}</button></form>`

/** The filters of a list, kept in the address. */
export const filterForm = (action: string, fields: readonly Html[]): Html => html`
<form class="filters" method="get" action="${action}">${fields}
<button>Show</button><a href="${action}">Clear</a></form>`
