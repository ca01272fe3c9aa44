const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

// UAX #11: wide and fullwidth characters, and emoji, take two columns.
const wide =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])|\ufe0f/u
const invisible = /^[\p{M}\p{Cf}]+$/u

const plainAscii = /^[ -~]*$/

const widthOfOne = (grapheme: string): number =>
  invisible.test(grapheme) ? 0 : wide.test(grapheme) ? 2 : 1

/** Columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  if (plainAscii.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += widthOfOne(segment)
  return width
}

/** The text in at most so many columns; where it is longer it ends in `…`. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  if (width < 1) return ''
  let kept = ''
  let used = 0
  for (const { segment } of graphemes.segment(text)) {
    used += widthOfOne(segment)
    if (used > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** The text and blanks in exactly so many columns. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const shown = cut(text, width)
  const blanks = ' '.repeat(Math.max(0, width - widthOf(shown)))
  return align === 'left' ? shown + blanks : blanks + shown
}

/** The text in lines of at most so many columns, broken between words, and inside one only where it is longer than a line. */
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
  const found: string[] = []
  let piece = ''
  for (const { segment } of graphemes.segment(word)) {
    if (piece !== '' && widthOf(piece + segment) > width) {
      found.push(piece)
      piece = segment
    } else piece += segment
  }
  return [...found, piece]
}
