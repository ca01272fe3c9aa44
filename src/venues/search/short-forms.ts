import { shortForms } from './calendar-lexicon.ts'
import { phrase } from './phrase.ts'

const isWord = (form: string) => /^[a-z]+$/.test(form)
const patterns = Object.entries(shortForms)
  .filter(([form]) => !isWord(form))
  .map(([form, meaning]) => ({ pattern: phrase(`\\b(?:${form})(?![a-z])`, 'g'), meaning }))

/** The text with what people abbreviate when they type in a hurry written out: "bsk sore2". */
export const withLongForms = (text: string): string =>
  patterns
    .reduce((rest, { pattern, meaning }) => rest.replace(pattern, meaning), text)
    .replace(/\b[a-z]+\b/g, (word) => shortForms[word] ?? word)
