import { type Html, html } from '../html.ts'

/** A text to be taken along, with a button for that where scripts run. */
export const copyable = (text: string): Html =>
  html`<copy-button class="copyable"><code>${text}</code></copy-button>`

/** Code to be taken along as it is. */
export const codeBlock = (code: string, label: string): Html =>
  html`<copy-button class="block"><pre tabindex="0" aria-label="${label}"><code>${code}</code></pre></copy-button>`

/** The same in several languages: one below the other, and as tabs where scripts run. */
export const codeTabs = (tabs: readonly { label: string; code: string }[]): Html => html`
<code-tabs>${tabs.map(({ label, code }) => html`<section data-label="${label}"><h3>${label}</h3>${codeBlock(code, label)}</section>`)}</code-tabs>`

/** JSON as text for people. */
export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2)
