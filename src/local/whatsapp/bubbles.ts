import type { Template } from '../../notices/rules/whatsapp-templates.ts'

type Parameter = { text?: string; payload?: string }
type Component = { type: string; index?: string; parameters: Parameter[] }

/** The body of `POST /<phone number id>/messages`, as far as the network sends it. */
export type Sent = {
  to: string
  type: string
  biz_opaque_callback_data?: string
  text?: { body: string }
  template?: { name: string; language: { code: string }; components: Component[] }
  interactive?: {
    body: { text: string }
    action: { sections: { rows: { id: string; title: string }[] }[] }
  }
}

/** A button or a row of a list: what its press sends, or the address that it opens. */
export type Button = { title: string; press?: object; url?: string }

/** A message as a phone shows it. */
export type Bubble = {
  id: string
  number: string
  text: string
  buttons: Button[]
  opaque: string | undefined
  isRead: boolean
  /** written on the phone */
  isOwn: boolean
}

/** The bubble of a message; a template's text is that of its definition. */
export function bubbleOf(id: string, sent: Sent, definitions: readonly Template[]): Bubble {
  const { to: number, text, template, interactive, biz_opaque_callback_data: opaque } = sent
  const about = { id, number, opaque, isRead: false, isOwn: false }
  if (template) return { ...about, ...filledIn(template, definitions) }
  const rows = interactive?.action.sections.flatMap((section) => section.rows) ?? []
  const buttons = rows.map(({ id, title }) => ({
    title,
    press: {
      ...{ type: 'interactive', interactive: { type: 'list_reply', list_reply: { id, title } } },
    },
  }))
  return { ...about, text: text?.body ?? interactive?.body.text ?? '', buttons }
}

function filledIn(
  { name, language, components }: NonNullable<Sent['template']>,
  definitions: readonly Template[],
): { text: string; buttons: Button[] } {
  const definition = definitions.find((one) => one.name === name && one.language === language.code)
  const [body, footer] = definition?.components ?? []
  const [values, ...parameters] = components.map((one) => one.parameters)
  const buttons = footer?.buttons.map(({ text, url }, index): Button => {
    const [parameter] = parameters[index] ?? []
    const button = { payload: parameter?.payload, text }
    return url
      ? { title: text, url: url.replace('{{1}}', parameter?.text ?? '') }
      : { title: text, press: { type: 'button', button } }
  })
  const text = body?.text.replace(/\{\{(\d+)\}\}/g, (_, n) => values?.[Number(n) - 1]?.text ?? '')
  return { text: text ?? '', buttons: buttons ?? [] }
}
