import type { Template } from '../../notices/rules/whatsapp-templates.ts'
import type { Sent } from './bubbles.ts'

/** What can be made to go wrong. */
export type Controls = {
  /** states of templates that are not approved, by `name/language` */
  templates: Map<string, 'PENDING' | 'REJECTED' | 'PAUSED'>
  /** numbers that have no WhatsApp, whose answers are lost, or during an outage */
  lines: Map<string, 'absent' | 'silent' | 'down'>
  /** sends statuses in the wrong order and twice */
  isShuffled: boolean
  perSecond: number
  /** to one number in six seconds */
  perPair: number
}

/** The order of statuses, which Meta does not guarantee. */
export const statuses = {
  inOrder: ['sent', 'delivered'],
  shuffled: ['delivered', 'sent', 'delivered', 'sent'],
}

const WINDOW_MS = 24 * 3_600_000
const PAIR_MS = 6_000

type Refusal = { status: number; code: number }
type Parts = { heard: Map<string, number>; definitions: readonly Template[]; number: string }

/** Finds why a message is refused `now`, or `later` by a status, with codes of the Cloud API. */
export function createRefusalOf(controls: Controls, { heard, definitions, number }: Parts) {
  const recent: { to: string; at: number }[] = []

  function limitOf(to: string): Refusal | undefined {
    const at = Date.now()
    recent.push({ to, at })
    while (at - (recent[0]?.at ?? at) > PAIR_MS) recent.shift()
    const ofSecond = recent.filter((one) => at - one.at < 1_000).length
    if (ofSecond > controls.perSecond) return { status: 429, code: 130429 }
    const ofPair = recent.filter((one) => one.to === to).length
    return ofPair > controls.perPair ? { status: 400, code: 131056 } : undefined
  }

  function templateRefusal({ template }: Sent): Refusal | undefined {
    if (!template) return undefined
    const { name, language, components } = template
    const definition = definitions.find(
      (one) => one.name === name && one.language === language.code,
    )
    const state = controls.templates.get(`${name}/${language.code}`)
    if (state === 'PAUSED') return { status: 400, code: 132015 }
    if (!definition || state) return { status: 404, code: 132001 }
    const [body] = definition.components
    const values = components.find(({ type }) => type === 'body')?.parameters ?? []
    if (values.length !== body.example.body_text[0]?.length) return { status: 400, code: 132000 }
    const isWrong = values.some(({ text }) => !text || /[\n\t]| {5}/.test(text))
    return isWrong ? { status: 400, code: 132018 } : undefined
  }

  return (message: Sent): { now?: Refusal | undefined; later?: number | undefined } => {
    const { to, type } = message
    const line = controls.lines.get(to)
    if (line === 'down') return { now: { status: 503, code: 131016 } }
    if (to === number) return { now: { status: 400, code: 131021 } }
    const now = limitOf(to) ?? templateRefusal(message)
    if (now) return { now }
    if (line === 'absent') return { later: 131026 }
    const isOpen = Date.now() - (heard.get(to) ?? 0) < WINDOW_MS
    return { later: type === 'template' || isOpen ? undefined : 131047 }
  }
}
