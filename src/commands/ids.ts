import { z } from 'zod'
import { UsageError } from '../platform/command-line/usage-error.ts'

/** An id for the examples of commands. */
export const exampleId = '0197a1f0-0000-7000-8000-000000000000'

/** Checks an id as typed; `what` is the argument's name. */
export function idFrom(text: string, what: string): string {
  const id = z.uuid().safeParse(text)
  if (id.success) return id.data
  throw new UsageError(`${what} takes an id, as \`list\` shows it, not ${text}.`)
}
