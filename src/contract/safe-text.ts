import { z } from 'zod'

const formula = /^[=+\-@＝＋－＠]/
const control = /\p{Cc}/u
const controlButNewline = /(?!\n)\p{Cc}/u

/** What keeps a text out of the network, if anything. */
function problemOf(text: string, allowsNewlines: boolean): string | undefined {
  if (text.includes('\ufffd') || !text.isWellFormed()) {
    return 'has bytes that are not UTF-8; save the file as UTF-8'
  }
  const found = (allowsNewlines ? controlButNewline : control).exec(text)?.[0]
  if (found !== undefined) {
    const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    return `has a control character (U+${code}); take it out`
  }
  const first = formula.exec(text.trimStart())?.[0]
  if (first === undefined) return undefined
  return `begins with "${first}", which spreadsheets run as a formula; begin with another character`
}

/** Whatever the platform of the file, a line of several-line text ends in the same way. */
const withNewlines = (text: string) => text.replace(/\r\n?/g, '\n')

/** Text of an operator, without spaces around it, that is safe to store, to print and to open in a spreadsheet. */
const safe = (max: number, allowsNewlines: boolean) =>
  z
    .string()
    .superRefine((text, context) => {
      const problem = problemOf(text, allowsNewlines)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    })
    .transform((text) => text.trim())
    .pipe(z.string().max(max, `is longer than ${max} characters`))

/** A name or other text of one line, 1 to `max` characters. */
export const label = (max: number) => safe(max, false).pipe(z.string().min(1, 'is empty'))

/** Text of several lines, possibly empty. */
export const prose = (max: number) => z.string().transform(withNewlines).pipe(safe(max, true))

/** Text in a notation of its own, which is read and never stored. */
export const notation = (max: number) =>
  z
    .string()
    .max(max, `is longer than ${max} characters`)
    .refine((text) => !control.test(text), 'has a control character; take it out')

/** A stranger's text as it may be printed on a terminal: quoted, on one line, at most 60 characters of it. */
export function quoted(text: string): string {
  const printable = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u00b7')
  return `"${printable.length > 60 ? `${printable.slice(0, 59)}…` : printable}"`
}
