import { type Language, languages, type Words, wordsOf } from '../../base/languages.ts'
import { networkProfile } from '../../base/network.ts'
import { assetPath } from '../page/assets.ts'
import { type Html, html } from '../page/html.ts'
import { document } from '../page/page.ts'

/** A guest's page in one language: `path` is the link's path, `here` that of this page. */
export type GuestView = {
  words: Words
  path: string
  here: string
}

export const guestView = (language: Language, path: string, here = path): GuestView => ({
  words: wordsOf(language),
  path,
  here,
})

/** A path to another of the guest's pages, in the same language. */
export const inLanguage = ({ words }: GuestView, path: string): string =>
  `${path}?lang=${words.language}`

/** A page for guests: without the site's navigation, which is for developers. */
export function guestDocument({ words, here }: GuestView, title: string, body: Html) {
  const others = languages.filter((one) => one !== words.language)
  return document(
    title,
    html`<link rel="stylesheet" href="${assetPath('page.css')}">`,
    html`<body>
<a class="skip" href="#content">${words.say('skip')}</a>
<header><span>${networkProfile.name}</span>
<nav>${others.map(
      (one) =>
        html`<a href="${here}?lang=${one}" hreflang="${one}" lang="${one}">${wordsOf(one).say('name')}</a> `,
    )}</nav></header>
<main id="content">${body}</main>
</body>`,
    words.language,
  )
}
