import Negotiator from 'negotiator'
import { type Language, languages, type Words, wordsOf } from '../../base/languages.ts'
import { networkProfile } from '../../base/network.ts'
import { assetPath } from '../page/assets.ts'
import { type Html, html } from '../page/html.ts'
import { document } from '../page/page.ts'

/** A guest's page in one language: `path` is the link's path, `here` that of this page. */
export type GuestView = { words: Words; path: string; here: string }

/** The first language that a browser accepts (RFC 9110, 12.5.4), or English. */
export const acceptedLanguage = (headers: object): Language =>
  (new Negotiator({ headers } as never).language([...languages]) as Language | undefined) ?? 'en'

/** A path to another of the guest's pages, in the same language. */
export const inLanguage = ({ words }: GuestView, path: string): string =>
  `${path}?lang=${words.language}`

/** A page for guests: without the site's navigation, which is for developers. */
export function guestDocument({ words, here }: GuestView, title: string, body: Html) {
  const { say, language } = words
  const others = languages.filter((one) => one !== language)
  const toOther = (one: Language) => html`
<a href="${here}?lang=${one}" hreflang="${one}" lang="${one}">${wordsOf(one).say('name')}</a>`
  return document(
    title,
    html`<link rel="stylesheet" href="${assetPath('page.css')}">
<link rel="stylesheet" href="${assetPath('guest.css')}">`,
    html`<body class="guest">
<a class="skip" href="#content">${say('skip')}</a>
<header><span>${networkProfile.name}</span>
<nav aria-label="${say('languages')}">${others.map(toOther)}</nav></header>
<main id="content">${body}</main>
</body>`,
    language,
  )
}
