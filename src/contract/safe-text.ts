import { z } from 'zod'

/** Beginnings of text that spreadsheets execute (OWASP, CSV injection), also in full width. */
export const formula = /^\s*([=+\-@＝＋－＠])|^[\t\r]/
const control = /\p{Cc}/u
const controlButNewline = /(?!\n)\p{Cc}/u

/** Why a text is refused; undefined if it is safe. */
function problemOf(text: string, allowsNewlines: boolean): string | undefined {
  if (text.includes('\ufffd') || !text.isWellFormed()) {
    return 'has bytes that are not UTF-8; save the file as UTF-8'
  }
  const character = (allowsNewlines ? controlButNewline : control).exec(text)?.[0]
  if (character !== undefined) {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    return `has a control character (U+${code}); remove it`
  }
  const first = formula.exec(text.trimStart())?.[1]
  if (first === undefined) return undefined
  return `begins with "${first}", which spreadsheets run as a formula; begin with another character`
}

/** Trimmed text from an operator, safe to store, print and open in a spreadsheet. */
const safe = (max: number, allowsNewlines: boolean) =>
  z
    .string()
    .superRefine((text, context) => {
      const problem = problemOf(text, allowsNewlines)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    })
    .transform((text) => text.trim())
    .pipe(z.string().max(max, `is longer than ${max} characters`))

/** One line of 1 to `max` characters. */
export const label = (max: number) => safe(max, false).pipe(z.string().min(1, 'is empty'))

/** Any number of lines, even none, with `\n` as line ending. */
export const prose = (max: number) =>
  z
    .string()
    .transform((text) => text.replace(/\r\n?/g, '\n'))
    .pipe(safe(max, true))

/** Text that is parsed but never stored. */
export const notation = (max: number) =>
  z
    .string()
    .max(max, `is longer than ${max} characters`)
    .refine((text) => !control.test(text), 'has a control character; remove it')

/** Foreign text for a terminal: quoted, on one line, at most 60 characters. */
export function quoted(text: string): string {
  const printable = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u00b7')
  return `"${printable.length > 60 ? `${printable.slice(0, 59)}…` : printable}"`
}
