import { type Html, html } from '../page/html.ts'
import recorded from './conversation.json' with { type: 'json' }
import { highlight } from './highlight.ts'

/** A conversation with an agent, recorded by `test/system/conversation.test.ts`. */
export type Conversation = {
  question: string
  calls: readonly { tool: string; input: unknown; answer: unknown }[]
  reply: string
}

const { question, calls, reply }: Conversation = recorded

const LINE = 66

/** JSON in which lists and objects are on one line where they fit. */
function brief(value: unknown, margin = ''): string {
  const onOneLine = JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll(/(?<=\[) | (?=\])/g, '')
  const isFlat = value === null || typeof value !== 'object'
  if (isFlat || margin.length + onOneLine.length <= LINE) return onOneLine
  const inner = `${margin} `
  const items = Array.isArray(value)
    ? value.map((one) => `${inner}${brief(one, inner)}`)
    : Object.entries(value).map(([name, one]) => `${inner}"${name}": ${brief(one, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${items.join(',\n')}\n${margin}${close}`
}

const json = (value: unknown): Html => ({ markup: highlight(brief(value), 'json') })

const sample = (value: unknown, label: string): Html =>
  html`<pre tabindex="0" aria-label="${label}"><code>${json(value)}</code></pre>`

/** A person's request, then the agent's calls and its reply. */
export const conversation = html`
<figure class="talk">
<p class="said person"><b>You</b> ${question}</p>
${calls.map(
  ({ tool, input, answer }) => html`<div class="call"><p>Calls <code>${tool}</code></p>
${sample(input, `Input of ${tool}`)}${sample(answer, `Answer of ${tool}`)}</div>`,
)}
<p class="said agent"><b>Your agent</b> ${reply}</p>
<figcaption>Recorded from this service: two MCP calls, answers shortened.</figcaption></figure>`
