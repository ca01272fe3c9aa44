import { type Html, html } from '../html.ts'
import { formId } from './forms.ts'

/** Words as the options of a choice, below what stands for none of them. */
export const anyOf = (all: string, words: readonly string[]): Record<string, string> =>
  Object.fromEntries([['', all], ...words.map((word) => [word, word])])

type Looks = {
  /** fields that say how */
  more?: Html
  tone?: 'plain' | 'danger'
}

/** One button that does one thing; sent twice it is done once, where the operation knows how. */
export const actionForm = (
  action: string,
  button: string,
  { more, tone }: Looks = {},
): Html => html`
<form class="action" method="post" action="${action}">${formId()}${more ?? ''}<button${tone ? html` class="${tone}"` : ''}>${button}</button></form>`

/** What narrows a list, in the address of the page. */
export const filterForm = (action: string, fields: readonly Html[]): Html => html`
<form class="filters" method="get" action="${action}">${[...fields]}<button>Show</button> <a href="${action}">Clear</a></form>`

/** A box to tick. */
export const checkbox = (label: string, name: string, value: string, isTicked = false): Html =>
  html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${isTicked ? html` checked` : ''}> ${label}</label>`

/** Names and values of one thing; what is null is left out. */
export const facts = (
  rows: readonly (readonly [name: string, value: Html | string | number | null])[],
): Html =>
  html`<dl class="facts">${rows.flatMap(([name, value]) =>
    value === null ? [] : [html`<div><dt>${name}</dt><dd>${value}</dd></div>`],
  )}</dl>`

/** JSON as text for people. */
export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2)
