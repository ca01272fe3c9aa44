import type { GuestLanguage } from '../../bookings/rules/guest-notices.ts'
import { english } from './english.ts'
import type { GuestWords } from './format-guest-mail.ts'
import { indonesian } from './indonesian.ts'

const languages: Record<GuestLanguage, GuestWords> = { en: english, id: indonesian }

export const wordsOf = (language: GuestLanguage): GuestWords => languages[language]
