import { inColour, type Paint, withoutColour } from './paint.ts'

/**
 * Settings for human-readable output; `width` is Infinity without a terminal, so that nothing is
 * truncated for a program.
 */
export type Screen = { width: number; paint: Paint; zone: string; program: string }

/** The screen behind a stream. */
export const screenOf = (
  stream: { isTTY?: boolean; columns?: number },
  { isColourful, program }: { isColourful: boolean; program: string },
): Screen => ({
  width: stream.isTTY ? (stream.columns ?? 80) : Number.POSITIVE_INFINITY,
  paint: stream.isTTY && isColourful ? inColour : withoutColour,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  program,
})
