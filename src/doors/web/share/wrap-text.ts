const NARROW = /[iIjlt.,:;'’|!()[\] -]/
const WIDE = /[mwMW@%]/

/** The width of a character of Inter Bold in ems, rather too large than too small. */
function widthOf(character: string): number {
  if (NARROW.test(character)) return 0.36
  if (WIDE.test(character)) return 0.95
  if ((character.codePointAt(0) ?? 0) > 0x2e80) return 1.05
  return /\p{Lu}|\d/u.test(character) ? 0.72 : 0.61
}

const widthOfText = (text: string) =>
  [...text].reduce((sum, character) => sum + widthOf(character), 0)

/** Breaks a text into lines of at most `ems`; what is beyond the last is cut, with an ellipsis. */
export function wrapText(text: string, ems: number, maxLines: number): string[] {
  const words = text.replace(/\s+/g, ' ').trim().split(' ')
  const lines: string[] = ['']
  for (const word of words) {
    const line = lines.at(-1) ?? ''
    const longer = line ? `${line} ${word}` : word
    if (line === '' || widthOfText(longer) <= ems) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  const shown = lines.slice(0, maxLines)
  return shown.map((line, nth) => {
    const isCut = nth === maxLines - 1 && lines.length > maxLines
    return cut(line, ems, isCut)
  })
}

/** At most `ems` of a line, ending in an ellipsis if something is missing. */
function cut(line: string, ems: number, hasMore: boolean): string {
  if (widthOfText(line) <= ems && !hasMore) return line
  const characters = [...line]
  while (characters.length > 1 && widthOfText(`${characters.join('')}…`) > ems) characters.pop()
  return `${characters.join('').replace(/[\s.,;:–-]+$/, '')}…`
}
