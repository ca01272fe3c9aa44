import { randomUUID } from 'node:crypto'
import { type Html, html } from '../html.ts'
import type { Cell } from './table.ts'

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

/** Words as the options of a choice, below what stands for none of them. */
export const anyOf = (all: string, words: readonly string[]): Record<string, string> =>
  Object.fromEntries([['', all], ...words.map((word) => [word, word])])

type Looks = {
  /** fields that say how */
  more?: Html
  tone?: 'main' | 'danger'
}

/** One button that does one thing; sent twice it is done once, where the operation knows how. */
export const actionForm = (
  action: string,
  button: string,
  { more, tone }: Looks = {},
): Html => html`
<form class="row" method="post" action="${action}">${formId()}${more ?? ''}<button${tone ? html` class="${tone}"` : ''}>${button}</button></form>`

/** What narrows a list, in the address of the page. */
export const filterForm = (action: string, fields: readonly Html[]): Html => html`
<form class="filters" method="get" action="${action}">${[...fields]}<button>Show</button><a href="${action}">Clear</a></form>`

/** A box to tick. */
export const checkbox = (label: string, name: string, value: string, isTicked = false): Html =>
  html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${isTicked ? html` checked` : ''}> ${label}</label>`

/** Goes along with a form whose effect must come once: the operation takes its value as idempotency key. */
export const formId = (): Html => html`<input type="hidden" name="form" value="${randomUUID()}">`
