import { networkProfile } from '../../base/network.ts'
import type { GuestLanguage } from '../../bookings/rules/guest-notices.ts'
import { type GuestWords, wordsOf } from '../../guests/rules/languages.ts'
import { assetPath } from '../page/assets.ts'
import { type Html, html } from '../page/html.ts'
import { document } from '../page/page.ts'

/** A guest's page in one language: `path` is the link's path, `here` that of this page. */
export type GuestView = {
  words: GuestWords
  language: GuestLanguage
  path: string
  here: string
}

export const guestView = (language: GuestLanguage, path: string, here = path): GuestView => ({
  words: wordsOf(language),
  language,
  path,
  here,
})

/** A path to another of the guest's pages, in the same language. */
export const inLanguage = ({ language }: GuestView, path: string): string =>
  `${path}?lang=${language}`

/** A page for guests: without the site's navigation, which is for developers. */
export function guestDocument({ words, language, here }: GuestView, title: string, body: Html) {
  const { code, name } = words.otherLanguage
  return document(
    title,
    html`<link rel="stylesheet" href="${assetPath('page.css')}">`,
    html`<body>
<a class="skip" href="#content">${words.skip}</a>
<header><span>${networkProfile.name}</span>
<a href="${here}?lang=${code}" hreflang="${code}" lang="${code}">${name}</a></header>
<main id="content">${body}</main>
</body>`,
    language,
  )
}
