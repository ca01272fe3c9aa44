import type { Day } from './day-lexicon.ts'
import { lengthPattern } from './length-lexicon.ts'
import { blank, take } from './patterns.ts'

const isoTime = new RegExp(
  '(\\d{4}-\\d\\d-\\d\\d)(?:t|\\s+)(\\d\\d:\\d\\d)(?::\\d\\d(?:[.,]\\d+)?)?\\s*' +
    '(z\\b|utc\\b|[+-]\\d\\d:?\\d\\d\\b|[+-]\\d\\d\\b)?(?:\\[[^\\]]*\\])?',
  'g',
)

/** The text with ISO date-times in words; one with an offset stays as a single word. */
export const withInstants = (text: string): string =>
  text
    .replace(isoTime, (_, date: string, time: string, zone?: string) =>
      zone ? `${date}t${time}${offsetOf(zone)}` : `${date} at ${time}`,
    )
    .replace(/\b(\d\d:\d\d):[0-5]\d\b/g, '$1')

function offsetOf(zone: string): string {
  if (/^[zu]/.test(zone)) return 'z'
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  return `${sign}${hours}:${minutes ?? '00'}`
}

const instant = /\b\d{4}-\d\d-\d\dt\d\d:\d\d(?:z|[+-]\d\d:\d\d)/
const lead = /\b(?:in|within|dalam)\s+(?:the next |about |around |sekitar )*(?=\S)/g
const end = /\s+(?:lagi|from now)\b/

/** Takes an instant with an offset, or a time from now, as in "in half an hour". */
export function takeDelay(text: string): { found: Day | null; rest: string } {
  const exact = take(text, [[instant, ([said = '']) => instantOf(said)]])
  if (exact.found) return exact
  return takeAfter(text) ?? takeBefore(text) ?? { found: null, rest: text }
}

function instantOf(said: string): Day | undefined {
  const at = new Date(said.toUpperCase())
  return Number.isNaN(at.getTime()) ? undefined : { is: 'instant', at }
}

const delay = (minutes: number): Day => ({ is: 'delay', minutes })

function takeAfter(text: string) {
  for (const { 0: words, index } of text.matchAll(lead)) {
    const from = index + words.length
    const { found, at } = take(text.slice(from), lengthPattern)
    if (found !== null && at?.start === 0)
      return { found: delay(found), rest: blank(text, index, from + at.end) }
  }
  return undefined
}

function takeBefore(text: string) {
  const match = end.exec(text)
  if (!match) return undefined
  const words = text.slice(0, match.index).split(/(?<=\s)/)
  for (const count of [4, 3, 2, 1]) {
    const said = words.slice(-count).join('')
    const { found, at } = take(said, lengthPattern)
    if (found !== null && at?.start === 0 && at.end === said.length)
      return {
        found: delay(found),
        rest: blank(text, match.index - said.length, match.index + match[0].length),
      }
  }
  return undefined
}
