import { IntlMessageFormat } from 'intl-messageformat'
import en from './languages/en.json' with { type: 'json' }
import id from './languages/id.json' with { type: 'json' }
import ru from './languages/ru.json' with { type: 'json' }

/** The texts of every language, in ICU MessageFormat: a language is a file, and an entry here. */
export const texts = { en, id, ru } satisfies Record<string, Texts>

/** English decides which texts there are. */
export type Texts = typeof en
export type Language = keyof typeof texts
export const languages = Object.keys(texts) as Language[]

type NamesIn<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${NamesIn<T[K]>}`
}[keyof T & string]
/** The name of a text: its path in the file, as in `cancel.link`. */
type TextName = NamesIn<Texts>

/** A `Date` is a local time at the venue, read as UTC. */
type TextValues = Readonly<Record<string, string | number | Date>>

/** One language: `say` fills in a text, and throws if it needs a value that is missing. */
export type Words = {
  language: Language
  locale: string
  say(name: TextName, values?: TextValues): string
}

const inUtc = { timeZone: 'UTC' } as const
const formats = {
  date: {
    day: { weekday: 'short', day: 'numeric', month: 'long', ...inUtc },
    dayOfYear: { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric', ...inUtc },
  },
  time: { clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...inUtc } },
} as const

/** The texts of a file by name. */
export const namedTexts = (branch: object, path = ''): [name: string, text: string][] =>
  Object.entries(branch).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[path + key, value] as [string, string]]
      : namedTexts(value, `${path}${key}.`),
  )

function wordsIn(language: Language): Words {
  const { locale } = texts[language]
  const byName = new Map(namedTexts(texts[language]))
  const parsed = new Map<string, IntlMessageFormat>()
  return {
    language,
    locale,
    say(name, values = {}) {
      const text = byName.get(name) ?? name
      if (!text.includes('{')) return text
      const message =
        parsed.get(name) ?? new IntlMessageFormat(text, locale, formats, { ignoreTag: true })
      parsed.set(name, message)
      return String(message.format({ ...values }))
    },
  }
}

const words = new Map(languages.map((language) => [language, wordsIn(language)]))

export const wordsOf = (language: Language): Words => words.get(language) ?? wordsIn(language)
