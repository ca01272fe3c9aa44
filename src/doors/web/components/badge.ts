import { type Html, html } from '../html.ts'

/** How something stands, in a word and a colour that says no more than the word. */
export const badge = (word: string, tone: 'good' | 'wait' | 'bad' | 'quiet' = 'quiet'): Html =>
  html`<span class="badge ${tone}">${word}</span>`
