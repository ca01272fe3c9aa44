import type { FastifyInstance } from 'fastify'
import { html } from '../../web/page/html.ts'
import type { Bubble, Button } from './bubbles.ts'

type Phones = {
  bubbles: readonly Bubble[]
  press(bubble: Bubble, button: Button): Promise<number>
  read(number: string): void
  say(number: string, text: string): Promise<number>
}
type Phone = { Params: { number: string } }
type Press = { Body: { id?: string; button?: string; text?: string } }

const style = `
:root { color-scheme: light dark; font: 16px/1.4 system-ui, sans-serif }
body { max-width: 26rem; margin: 0 auto; padding: 1rem; background: light-dark(#efe7de, #0b141a);
  color: light-dark(#111, #eee) }
nav a { margin-right: 1rem }
ol { list-style: none; padding: 0 }
li { max-width: 88%; margin: .5rem 0; padding: .6rem .8rem; border-radius: .6rem;
  white-space: pre-line; overflow-wrap: anywhere; background: light-dark(#fff, #202c33) }
li.own { margin-left: auto; background: light-dark(#d9fdd3, #005c4b) }
a { color: inherit }
li form, li a { display: block; margin-top: .4rem; text-align: center }
button, input { box-sizing: border-box; width: 100%; padding: .6rem; border-radius: .5rem;
  border: 1px solid #8888; background: none; color: inherit; font: inherit }
button { color: light-dark(#006b56, #53bdeb); cursor: pointer }`

/** Looks for new messages, except while somebody types. */
const script = `setInterval(() => {
  if (!document.activeElement.value) location.reload()
}, 2000)
scrollTo(0, document.body.scrollHeight)`

/** Shows the phones of a development machine, whose buttons can be pressed. */
export function phonePage(
  app: FastifyInstance,
  base: string,
  { bubbles, press, read, say }: Phones,
): void {
  app.get(base, async (_, reply) => reply.redirect(`${base}/${bubbles.at(-1)?.number ?? 'none'}`))

  app.get<Phone>(`${base}/:number`, async ({ params: { number } }, reply) => {
    read(number)
    const numbers = [...new Set(bubbles.map((one) => one.number))]
    const action = `${base}/${number}`
    const entry = ({ id, text, buttons, isOwn }: Bubble) => html`
<li class="${isOwn ? 'own' : 'theirs'}">${text}
${buttons.map(({ title, url }, index) =>
  url
    ? html`<a href="${url}" target="_blank">${title}</a>`
    : html`<form method="post" action="${action}"><input type="hidden" name="id" value="${id}">
<button name="button" value="${index}">${title}</button></form>`,
)}</li>`
    const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Phone ${number}</title>
<style>${style}</style></head><body>
<nav>${numbers.map((one) => html`<a href="${base}/${one}">+${one}</a>`)}</nav>
<h1>${numbers.length > 0 ? `+${number}` : 'No messages yet'}</h1>
<ol>${bubbles.filter((one) => one.number === number).map(entry)}</ol>
${
  numbers.length > 0 &&
  html`<form method="post" action="${action}">
<input name="text" aria-label="Message" placeholder="Message" autocomplete="off"></form>`
}
<script>${{ markup: script }}</script></body></html>`
    return reply.type('text/html; charset=utf-8').send(page.markup)
  })

  app.post<Phone & Press>(`${base}/:number`, async ({ params: { number }, body }, reply) => {
    const bubble = bubbles.find((one) => one.id === body.id)
    const button = bubble?.buttons[Number(body.button)]
    if (bubble && button) await press(bubble, button)
    else if (body.text) await say(number, body.text)
    return reply.redirect(`${base}/${number}`, 303)
  })
}
