import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { z } from 'zod'
import { type Language, languages, type Words, wordsOf } from '../../base/languages.ts'
import { assetPath } from './assets.ts'
import { type Html, html } from './html.ts'
import { document } from './page.ts'

const query = z.object({ lang: z.enum(languages).optional().catch(undefined) })

/** The language that a reader has chosen on a page, if any. */
export const chosenLanguage = (request: FastifyRequest): Language | undefined =>
  query.safeParse(request.query).data?.lang

/** The first language that a browser accepts (RFC 9110, 12.5.4), or English. */
export const acceptedLanguage = (headers: object): Language =>
  (new Negotiator({ headers } as never).language([...languages]) as Language | undefined) ?? 'en'

type Bare = {
  words: Words
  /** the path of this page, in any language */
  here: string
  /** the name in the header */
  brand: string
  /** the classes of the body, each with a stylesheet of that name */
  names: readonly string[]
  scripts?: readonly string[]
  head?: Html
}

/** A page for guests or staff: without the site's navigation, which is for developers. */
export function bareDocument(
  { words, here, brand, names, scripts = [], head }: Bare,
  title: string,
  body: Html,
): string {
  const { say, language } = words
  // Refusals have no address of their own, and repeat none that is a secret.
  const others = languages.filter((one) => here !== '' && one !== language)
  const to = (one: Language) => `${here}${here.includes('?') ? '&' : '?'}lang=${one}`
  const toOther = (one: Language) => html`
<a href="${to(one)}" hreflang="${one}" lang="${one}">${wordsOf(one).say('name')}</a>`
  return document(
    title,
    html`<link rel="stylesheet" href="${assetPath('page.css')}">
${names.map((one) => html`<link rel="stylesheet" href="${assetPath(`${one}.css`)}">`)}${scripts.map(
  (script) => html`<script type="module" src="${assetPath(script)}"></script>`,
)}${head}`,
    html`<body class="${names.join(' ')}">
<a class="skip" href="#content">${say('skip')}</a>
<header><span>${brand}</span>
<nav aria-label="${say('languages')}">${others.map(toOther)}</nav></header>
<main id="content">${body}</main>
</body>`,
    language,
    names.includes('staff'),
  )
}
