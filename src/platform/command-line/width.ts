const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

// UAX #11: wide and fullwidth characters, and emoji, take two columns.
const wide =
  /^[\p{sc=Hani}\p{sc=Hang}\p{sc=Hira}\p{sc=Kana}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u
const emoji = /^\p{Emoji_Presentation}|\ufe0f/u
const invisible = /^[\p{M}\p{Cf}]+$/u

const plainAscii = /^[ -~]*$/

const widthOfOne = (grapheme: string): number =>
  invisible.test(grapheme) ? 0 : wide.test(grapheme) || emoji.test(grapheme) ? 2 : 1

/** How many terminal columns a text occupies. */
export function widthOf(text: string): number {
  if (plainAscii.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += widthOfOne(segment)
  return width
}

/** Truncates a text to `width` columns, ending in `…`. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  if (width < 1) return ''
  let result = ''
  let used = 0
  for (const { segment } of graphemes.segment(text)) {
    used += widthOfOne(segment)
    if (used > width - 1) break
    result += segment
  }
  return `${result}…`
}

/** Pads or truncates a text to exactly `width` columns. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const visible = cut(text, width)
  const blanks = ' '.repeat(Math.max(0, width - widthOf(visible)))
  return align === 'left' ? visible + blanks : blanks + visible
}

/** Wraps a text at `width` columns, between words; breaks words longer than a line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/ +/).flatMap((one) => pieces(one, width))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

function pieces(word: string, width: number): string[] {
  if (widthOf(word) <= width) return [word]
  const lines: string[] = []
  let piece = ''
  for (const { segment } of graphemes.segment(word)) {
    if (piece !== '' && widthOf(piece + segment) > width) {
      lines.push(piece)
      piece = segment
    } else piece += segment
  }
  return [...lines, piece]
}
