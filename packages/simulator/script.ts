import { z } from 'zod'
import type { Request } from './messages.ts'
import { forgeries } from './signatures.ts'

const reason = z.string().max(200)
const milliseconds = z.number().int().min(0).max(86_400_000)

const faults = {
  sign: z.enum(forgeries).optional(),
  revision_offset: z.number().int().optional(),
  backdate_ms: milliseconds.optional(),
}

const laterSchema = z
  .strictObject({
    status: z.enum(['confirmed', 'declined', 'pending', 'cancelled']),
    reason: reason.optional(),
    after_ms: milliseconds.optional(),
    after_answer_by_ms: z.number().int().min(-86_400_000).max(86_400_000).optional(),
    ...faults,
  })
  .refine(
    ({ after_ms, after_answer_by_ms }) =>
      after_ms === undefined || after_answer_by_ms === undefined,
    'accepts after_ms or after_answer_by_ms, not both',
  )

/** How a call fails, and whether the message was journaled first. */
export const failures = {
  hang: { recorded: false },
  hang_after: { recorded: true },
  crash_before: { recorded: false },
  crash_during: { recorded: true },
  crash_after: { recorded: true },
  status_500: { recorded: false },
  status_503: { recorded: false },
  garbage: { recorded: true },
  huge: { recorded: true },
  redirect: { recorded: false },
} as const
type Failure = keyof typeof failures

const doSchema = z
  .strictObject({
    latency_ms: milliseconds.optional(),
    answer: z.enum(['confirmed', 'declined', 'pending', 'cancelled', 'unknown']).optional(),
    reason: reason.optional(),
    fail: z.enum(Object.keys(failures) as [Failure, ...Failure[]]).optional(),
    exit: z.boolean().optional(),
    repeat: z.number().int().min(1).max(100).optional(),
    later: z.array(laterSchema).max(20).optional(),
    ...faults,
  })
  .refine(({ exit, fail }) => !exit || fail?.startsWith('crash_'), 'exit needs a crash_* failure')

const ruleSchema = z.strictObject({
  venue_id: z.string().optional(),
  booking_id: z.string().optional(),
  on: z.enum([
    'booking.confirm',
    'booking.amend',
    'booking.status',
    'booking.cancel',
    'availability.read',
  ]),
  do: doSchema,
  times: z.number().int().min(1).max(1_000_000).default(1),
})

/** One rule, or a list consumed in order. */
export const scriptSchema = z.union([ruleSchema.transform((rule) => [rule]), z.array(ruleSchema)])

type Rule = z.infer<typeof ruleSchema>
export type Behaviour = z.infer<typeof doSchema>
export type Later = z.infer<typeof laterSchema>
/** How a response differs from an honest one. */
export type Faults = Pick<Later, keyof typeof faults>

export type Script = {
  add(rules: Rule[]): void
  clear(): void
  /** Remaining rules, in order. */
  planned(): Rule[]
  /** Takes the first matching rule; undefined means answer honestly. */
  take(request: Request): Behaviour | undefined
}

/** Scripted misbehaviour, in memory only: a new process is honest. */
export function createScript(): Script {
  let rules: Rule[] = []
  return {
    add: (more) => {
      rules.push(...more.map((rule) => ({ ...rule })))
    },
    clear: () => {
      rules = []
    },
    planned: () => rules,
    take(request) {
      const rule = rules.find((candidate) => fits(candidate, request))
      if (rule === undefined) return undefined
      rule.times -= 1
      if (rule.times === 0) rules = rules.filter((other) => other !== rule)
      return rule.do
    },
  }
}

function fits(rule: Rule, request: Request): boolean {
  if (rule.on !== request.type) return false
  if (rule.venue_id !== undefined && rule.venue_id !== request.venue_id) return false
  const bookingId = 'booking_id' in request ? request.booking_id : undefined
  return rule.booking_id === undefined || rule.booking_id === bookingId
}
