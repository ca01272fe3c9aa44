import type { Words } from '../../base/languages.ts'
import { networkProfile } from '../../base/network.ts'
import { bareDocument } from '../page/bare-document.ts'
import type { Html } from '../page/html.ts'

/** A guest's page in one language: `path` is the link's path, `here` that of this page. */
export type GuestView = { words: Words; path: string; here: string }

/** A path to another of the guest's pages, in the same language. */
export const inLanguage = ({ words }: GuestView, path: string): string =>
  `${path}?lang=${words.language}`

/** A page for guests. */
export const guestDocument = ({ words, here }: GuestView, title: string, body: Html): string =>
  bareDocument({ words, here, brand: networkProfile.name, names: ['guest'] }, title, body)
