import { counted } from '../../base/counted.ts'
import { type ErrorCode, errorCatalogue } from '../../base/error-catalogue.ts'
import type { Problem, RefusalData } from '../../base/errors.ts'
import ownAdvice from './problem-advice.json' with { type: 'json' }

/** What a form calls an operation's fields, where the names differ. */
export type Labels = Readonly<Record<string, string>>

/** Codes whose title in the catalogue is written for programs. */
const titles: Partial<Record<ErrorCode, string>> = {
  not_found: 'Page not found',
  page_not_found: 'Page not found',
  method_not_allowed: 'This page cannot be used that way',
  invalid_request: 'Check what you entered',
}

/** Codes whose advice is written for programs, with advice for people instead. */
const adviceForPeople: Partial<Record<ErrorCode, string>> = ownAdvice

/** A refusal as the title of a page. */
export const problemTitle = ({ code }: RefusalData): string =>
  titles[code] ?? errorCatalogue[code].title

/** The sentences of the advice that mention no address, header or value of the API. */
const adviceInWords = (advice: string): string =>
  advice
    .split(/(?<=\.) /)
    .filter((sentence) => !sentence.includes('/api') && !isCode(sentence))
    .join(' ')

const isCode = (sentence: string) =>
  sentence.split('`').some((part, nth) => nth % 2 === 1 && !/^\w+$/.test(part))

/** Sentences from schemas, and how pages phrase them. */
const details: readonly (readonly [RegExp, string])[] = [
  [/^required: .*/, 'this is missing'],
  [/^expected one of "[\s\S]*/, 'choose one of those listed'],
  [/^expected one of [\s\S]*/, 'choose in one way'],
  [/: expected one of [\s\S]*/, ''],
  [/, or one of `\w+`$/, ''],
  [/^expected an instant in UTC.*/, 'give a date and a time'],
  [/^expected an instant/, 'give a date and a time'],
  [/^expected number to be >=/, 'give at least '],
  [/^expected number to be <=/, 'give at most '],
  [/^expected a string$/, 'give a text'],
  [/^expected a UUID$/, 'this is not an id'],
  [/^expected /, 'give '],
  [/`/g, ''],
]

/** What is wrong with a field, phrased for people. */
export const detailWords = (detail: string): string =>
  details.reduce((words, [pattern, own]) => words.replace(pattern, own), detail)

/** A refusal phrased for people: without advice for programs, and with the form's field names. */
export function problemWords(refusal: RefusalData, labels: Labels = {}): string {
  const { code, message, facts } = refusal
  const errors = (facts.errors ?? []) as Problem[]
  const nameOf = (field = '') => labels[field] ?? field.replaceAll('_', ' ')
  if (code === 'invalid_request' && errors.length > 0) {
    const sentences = errors.map(({ pointer, detail }) =>
      pointer === ''
        ? detailWords(detail)
        : `${nameOf(pointer.split('/')[1])}: ${detailWords(detail)}`,
    )
    return `${sentences.join('. ')}.`
  }
  const { advice: own } = errorCatalogue[code]
  const advice = (adviceForPeople[code] ?? adviceInWords(own)).replace('{wait}', waitOf(facts))
  const what = message.endsWith(own) ? message.slice(0, -own.length).trim() : message
  return `${what} ${advice}`.trim().replaceAll(/`([^`]*)`/g, (_, field: string) => nameOf(field))
}

const waitOf = ({ retry_after: seconds }: RefusalData['facts']): string =>
  counted(Number(seconds ?? 60), 'second')

/** The text below the title of a refusal; it does not repeat the title. */
export function problemText(refusal: RefusalData): string {
  const words = problemWords(refusal)
  const title = `${errorCatalogue[refusal.code].title}. `
  return `${words} `.startsWith(title) ? words.slice(title.length) : words
}
