const accents = /[\u0300-\u036f]/g
const separators = /[^\p{L}\p{N}\p{M}]+/u

/** Lower-cases a text and strips Latin accents; names and queries are compared in this form. */
export const plainText = (text: string): string =>
  text.normalize('NFKD').replace(accents, '').toLowerCase().replaceAll('đ', 'd').normalize('NFC')

/** A text's words, lower-cased and without Latin accents or punctuation. */
export const plainWords = (text: string): string[] =>
  plainText(text).replace(/['’]/g, '').split(separators).filter(Boolean)

/** The words of a name in the singular, to compare names as guests say them. */
export const nameWords = (name: string): string[] =>
  plainWords(name).map((word) => word.replace(/(?<=[a-z]{3})s$/, ''))
