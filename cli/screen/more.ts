import { printable } from './printable.ts'
import type { Screen } from './screen.ts'

/** How to get at the next page; nothing on the last. */
export const moreOf = ({ paint }: Screen, cursor: string | null): string[] =>
  cursor === null ? [] : ['', paint(`More: the same with --cursor ${printable(cursor)}`, 'faint')]
