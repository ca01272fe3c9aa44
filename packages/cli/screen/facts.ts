import { pad, widthOf, wrap } from '../../../src/platform/command-line/width.ts'
import type { Tone } from './paint.ts'
import { printable } from './printable.ts'
import type { Screen } from './screen.ts'

const MIN_TEXT = 20

/** A label and its value; facts whose value is null or undefined are left out. */
export type Fact = [name: string, text: string | null | undefined, tone?: Tone | undefined]

/** Labelled values, with long ones wrapped. Accepts untrusted texts. */
export function facts({ width, paint }: Screen, all: readonly Fact[]): string {
  const filled = all.filter(([, text]) => text !== null && text !== undefined && text !== '')
  const names = Math.min(width, Math.max(0, ...filled.map(([name]) => widthOf(name))) + 2)
  const isNarrow = width - names < MIN_TEXT
  return filled
    .flatMap(([name, text, tone]) => {
      const lines = wrap(printable(String(text)), isNarrow ? width : width - names)
      const painted = lines.map((line) => paint(line, tone))
      if (isNarrow) return [paint(pad(name, Math.min(width, widthOf(name))), 'faint'), ...painted]
      return painted.map(
        (line, index) => paint(pad(index === 0 ? name : '', names), 'faint') + line,
      )
    })
    .join('\n')
}
