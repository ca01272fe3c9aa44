import { z } from 'zod'
import { UsageError } from '../platform/command-line/usage-error.ts'

/** Checks an id as typed; `what` is the argument's name. */
export function idFrom(text: string, what: string): string {
  const id = z.uuid().safeParse(text)
  if (id.success) return id.data
  throw new UsageError(`${what} takes an id, as \`list\` shows it, not ${text}.`)
}
