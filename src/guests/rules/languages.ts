import { fillText } from '../../base/fill-text.ts'
import type { GuestLanguage } from '../../bookings/rules/guest-notices.ts'
import { englishPrice, priceWords, type UnitPrice } from '../../bookings/rules/price-words.ts'
import english from './english.json' with { type: 'json' }
import type { DepositText, StatusFacts, TermsText } from './format-guest-mail.ts'
import indonesian from './indonesian.json' with { type: 'json' }

/** All texts for guests in one language, built from those in its file. */
export type GuestWords = ReturnType<typeof guestWords>

type Texts = typeof english & { price: typeof englishPrice }

function guestWords(texts: Texts, other: GuestLanguage) {
  const { by, party, mail, rules, deposit, mails } = texts
  const guests = (size: number) => fillText(size === 1 ? party.one : party.other, { guests: size })
  const statuses: Partial<Record<string, string>> = texts.status
  return {
    ...texts,
    party: guests,
    mail: {
      ...mail,
      rule: ({ fee, amount, until }: TermsText) =>
        fee === 'none' || until === null ? mail.free : fillText(mail.rule, { amount, until }),
      stop: (network: string) => fillText(mail.stop, { network }),
    },
    status({ status, cancelledBy, answerBy }: StatusFacts) {
      const is = status === 'cancelled' && cancelledBy === 'venue' ? 'cancelled_by_venue' : status
      const text = statuses[is] ?? texts.status.other
      return fillText(text, { by: answerBy ? fillText(by, { answerBy }) : '' })
    },
    /** what the guest pays the venue */
    price: (price: UnitPrice, size: number) => priceWords(price, size, { ...texts, guests }),
    /** what cancelling costs now */
    rules: {
      title: rules.title,
      now: ({ fee, amount, until }: TermsText) =>
        fee === 'kept' ? fillText(rules.kept, { amount, until }) : rules.free,
    },
    /** line by line */
    deposit: ({ kind, amount, kept_when: when, how_to_pay: how }: DepositText) => [
      fillText(kind === 'deposit' ? deposit.deposit : deposit.guarantee, { amount }),
      ...(how === undefined ? [] : [fillText(deposit.how, { how })]),
      ...(when === undefined ? [] : [fillText(deposit.kept, { when })]),
    ],
    mails: { ...mails, about: (address: string) => fillText(mails.about, { address }) },
    otherLanguage: { code: other, name: texts.otherLanguage },
  }
}

const languages: Record<GuestLanguage, GuestWords> = {
  en: guestWords({ ...english, price: englishPrice }, 'id'),
  id: guestWords(indonesian, 'en'),
}

export const wordsOf = (language: GuestLanguage): GuestWords => languages[language]
