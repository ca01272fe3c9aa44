import { Webhook } from 'standardwebhooks'
import { z } from 'zod'

const schema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65535).default(0),
  SIMULATOR_SECRET: z
    .string('is required: the whsec_… printed when the venue was connected')
    .startsWith('whsec_')
    .refine(isKey, 'must be whsec_ and a base64 key'),
  SIMULATOR_TOKEN: z.string().min(16).optional(),
  SIMULATOR_DATA: z.string().optional(),
})

export type Settings = z.infer<typeof schema>

/** Reads the environment once. Throws one error that lists every invalid variable. */
export function readSettings(env: Record<string, string | undefined> = process.env): Settings {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = schema.safeParse(present)
  if (result.success) return result.data
  const problems = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`The simulator cannot start:\n${problems.join('\n')}`)
}

function isKey(secret: string): boolean {
  try {
    new Webhook(secret)
    return true
  } catch {
    return false
  }
}
