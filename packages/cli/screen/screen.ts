import { inColour, type Paint, withoutColour } from './paint.ts'

/** What human output is made for: `width` is Infinity where nobody looks, so that nothing is cut for a program. */
export type Screen = { width: number; paint: Paint; zone: string; program: string }

/** The screen that a stream writes to. */
export const screenOf = (
  stream: { isTTY?: boolean; columns?: number },
  { isColourful, program }: { isColourful: boolean; program: string },
): Screen => ({
  width: stream.isTTY ? (stream.columns ?? 80) : Number.POSITIVE_INFINITY,
  paint: stream.isTTY && isColourful ? inColour : withoutColour,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  program,
})
