import type { Screen } from './screen.ts'
import { shellWord } from './shell-word.ts'

/** How to get the next page; empty on the last page. */
export const moreOf = ({ paint }: Screen, cursor: string | null): string[] =>
  cursor === null
    ? []
    : ['', paint(`Next page: repeat with --cursor ${shellWord(cursor)}`, 'faint')]
