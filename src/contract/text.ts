import { z } from 'zod'

/** Text of a stranger that can be stored and canonicalised as it is: 1 to `max` characters, no U+0000, no half characters. */
export const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), {
      error: 'expected text without U+0000 and unpaired surrogates',
    })
