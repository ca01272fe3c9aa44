import { randomUUID } from 'node:crypto'
import { type Html, html } from './html.ts'

/** What a table cell contains. */
export type Cell = Html | string | number

/** What a colour means: done, waiting, wrong, in progress, over. */
export type Tone = 'good' | 'wait' | 'bad' | 'info' | 'quiet'

/** A status as a coloured word. The colour says no more than the word. */
export const badge = (word: string, tone: Tone = 'quiet'): Html =>
  html`<span class="badge ${tone}">${word}</span>`

/** Grey text within a line. */
export const quiet = (text: Cell): Html => html`<span class="quiet">${text}</span>`

/** A grey paragraph. */
export const note = (text: Cell): Html => html`<p class="quiet">${text}</p>`

export const link = (href: string, text: Cell): Html => html`<a href="${href}">${text}</a>`

/** The link from a table row to its subject. A click anywhere in the row follows it. */
export const rowLink = (href: string, text: Cell): Html =>
  html`<a class="row-link" href="${href}">${text}</a>`

/** A link that looks like a button: the page's main button unless `isSecond`. */
export const linkButton = (href: string, text: Cell, isSecond = false): Html =>
  html`<a class="button${isSecond && ' second'}" href="${href}">${text}</a>`

/** A long word, such as a URL, that breaks anywhere but keeps a readable width. */
export const breakable = (text: string): Html => html`<span class="breakable">${text}</span>`

/** A value with a copy button; the button needs JavaScript. */
export const copyable = (text: string): Html =>
  html`<copy-button class="copyable"><code>${text}</code></copy-button>`

export const codeBlock = (code: string | Html, label: string) => html`<copy-button class="block"
  ><pre tabindex="0" aria-label="${label}"><code>${code}</code></pre></copy-button>`

/** One example in several languages: shown as tabs, or as sections without JavaScript. */
export const codeTabs = (tabs: readonly { label: string; code: string | Html }[]): Html => html`
<code-tabs>${tabs.map(
  ({ label, code }) =>
    html`<section data-label="${label}"><h3>${label}</h3>${codeBlock(code, label)}</section>`,
)}</code-tabs>`

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2)

/** How many narrow number columns fit on a phone next to a first column of words. */
const MAX_NUMBERS = 2

/** Whether a table has more columns than fit on a phone. */
const isWide = (head: readonly string[], numbers: readonly boolean[]): boolean =>
  head.length > 2 &&
  !(numbers.length > 0 && numbers.slice(1).every(Boolean) && head.length <= MAX_NUMBERS + 1)

/**
 * A table that scrolls sideways; on a phone, each row of a wide table becomes a card. `rows` come
 * from `tableRow`, `label` names the table for screen readers.
 */
export const tableOf = (
  head: readonly string[],
  rows: readonly Html[],
  label: string,
  numbers: readonly boolean[] = [],
): Html => html`
<div class="scroll" role="region" aria-label="${label}" tabindex="0"
><table${isWide(head, numbers) && html` class="stacked"`}>
<thead><tr>${head.map((name, index) =>
  name ? html`<th scope="col"${numbers[index] && NUMBER}>${name}</th>` : html`<td></td>`,
)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`

const NUMBER = html` class="number"`
const figures = new WeakSet<Html>()

/** A right-aligned cell, such as an amount of money. Numbers are right-aligned by default. */
export function figure(text: Cell): Html {
  const cell = html`${text}`
  figures.add(cell)
  return cell
}

const isFigure = (cell: Cell) =>
  typeof cell === 'number' || (typeof cell === 'object' && figures.has(cell))

/** A row of a table with these column heads. */
export const tableRow = (head: readonly string[], row: readonly Cell[], attributes?: Html): Html =>
  html`<tr${attributes}>${row.map(
    (cell, index) =>
      html`<td${isFigure(cell) && NUMBER}${head[index] && html` data-label="${head[index]}"`}>${
        typeof cell === 'number' ? grouped(cell) : cell
      }</td>`,
  )}</tr>`

/** A table of cells. A column without a name has the head ''. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  label = head.join(', '),
): Html =>
  tableOf(
    head,
    rows.map((row) => tableRow(head, row)),
    label,
    head.map((_, index) => rows.some((row) => isFigure(row[index] ?? ''))),
  )

/** How to render each cell of an item, by column name. */
export type Columns<T> = Readonly<Record<string, (item: T) => Cell>>

/** Items as a table, or `none` if there are no items. */
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

/** The tabs of a page, each with its own address. `current` is one of their names. */
export const tabs = (
  label: string,
  links: Readonly<Record<string, string>>,
  current: string,
) => html`
<nav class="tabs" aria-label="${label}"><ul>${Object.entries(links).map(
  ([name, href]) =>
    html`<li><a href="${href}"${name === current && html` aria-current="page"`}>${name}</a></li>`,
)}</ul></nav>`

/** Names with their values. Rows whose value is null are omitted. */
export const facts = (rows: readonly (readonly [term: string, cell: Cell | null])[]): Html => html`
<dl class="facts">${rows.map(
  ([term, cell]) =>
    cell !== null &&
    html`<dt>${term}</dt><dd>${typeof cell === 'number' ? grouped(cell) : cell}</dd>`,
)}</dl>`

/** Shown instead of an empty list; says how to fill it. */
export const empty = (title: string, text: Cell, action?: Html): Html => html`
<div class="empty"><p><strong>${title}</strong></p><p>${text}</p>${action}</div>`

/** The link to the next page of a list; `href` returns the address for a cursor. */
export const pager = (cursor: string | null | undefined, href: (cursor: string) => string): Html =>
  html`${cursor && html`<p class="pager"><a href="${href(cursor)}" rel="next">Next page</a></p>`}`

/** A UTC time to the minute, or a dash; a script adds the relative time. */
export const when = (at: Date | string | null | undefined): Html =>
  at ? html`<relative-time>${exactly(at)}</relative-time>` : quiet('–')

/** A UTC time to the minute, for use in a sentence. */
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
} & { error?: string | undefined }

/** A labelled input. Screen readers announce `hint` and `error` with it. */
export function field(label: string, input: Input, hint?: Cell): Html {
  const { name, type = 'text', required = false, value = '', error, ...rest } = input
  const id = newId(name)
  const direction = type === 'text' ? { dir: 'auto' } : {}
  const pairs = Object.entries({ value, ...direction, ...rest }).map(
    ([key, text]) => html` ${key}="${text}"`,
  )
  const attributes = html`${required && html` required`}${pairs}${described(id, hint, error)}`
  return html`<p class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}"${attributes}>${notesOf(id, hint, error)}</p>`
}

/** Associates a field with its hint and error. */
const described = (id: string, hint?: Cell, error?: string): Html => {
  const ids = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return html`${error && html` aria-invalid="true"`}${ids && html` aria-describedby="${ids}"`}`
}

const notesOf = (id: string, hint?: Cell, error?: string): Html => html`
${error && html`<span class="error" id="${id}-error">${error}</span>`}
${hint && html`<span class="hint" id="${id}-hint">${hint}</span>`}`

/** A labelled select. */
export function choice(
  label: string,
  name: string,
  options: Readonly<Record<string, string>>,
  current = '',
): Html {
  const id = newId(name)
  const option = ([value, text]: [string, string]) =>
    html`<option value="${value}"${value === current && html` selected`}>${text}</option>`
  return html`<p class="field"><label for="${id}">${label}</label>
<select id="${id}" name="${name}">${Object.entries(options).map(option)}</select></p>`
}

const newId = (name: string) => `${name}-${randomUUID().slice(0, 8)}`

/** The options of a filter: `All`, then each word. */
export const anyOf = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries([['', 'All'], ...words.map((word) => [word, word])])

export const checkbox = (label: string, name: string, value: string, isChecked = false): Html =>
  html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${
    isChecked && html` checked`
  }> ${label}</label>`

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

/** Identifies a submission; operations use it as the idempotency key. */
export const formId = (): Html => hidden('form', randomUUID())

/** Why a form was refused. */
export const alert = (text: string | undefined): Html =>
  html`${text !== undefined && html`<p class="notice bad" role="alert">${text}</p>`}`

type ActionLook = { more?: Html; tone?: 'main' | 'danger' }

/** A button that submits one action, along with the fields in `more`. */
export const actionForm = (action: string, button: string, { more, tone }: ActionLook = {}): Html =>
  html`
<form class="row" method="post" action="${action}">${formId()}${more}<button${
    tone && html` class="${tone}"`
  }>${button}</button></form>`

/** The final confirmation of an action: a button to confirm, and a way back. */
export const confirmForm = (
  action: string,
  button: string,
  [back, keep]: readonly [href: string, text: string],
  { more, tone = 'danger' }: ActionLook = {},
): Html => html`
<form class="row" method="post" action="${action}">${formId()}${more}
<button class="${tone}">${button}</button>${linkButton(back, keep, true)}</form>`

/** A form with its fields stacked vertically. */
export const stackForm = (
  action: string,
  button: string,
  fields: readonly Html[],
  tone?: ActionLook['tone'],
): Html => html`
<form class="stack" method="post" action="${action}">${fields}
<button${tone && html` class="${tone}"`}>${button}</button></form>`

/** A list's filters, stored in the address; on a phone they are behind a button. */
export const filterForm = (action: string, fields: readonly Html[], hasError = false): Html => html`
<details class="filters"${hasError && html` open`}><summary>Filter</summary>
<form class="filters" method="get" action="${action}">${fields}
<button>Apply</button></form></details>`
