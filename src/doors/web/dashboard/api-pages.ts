import { key } from './key.ts'
import { keys } from './keys.ts'
import { plan } from './plan.ts'
import { requests } from './requests.ts'
import { usage } from './usage.ts'

/** The pages of an account's way to the API: its keys, its plan, and what it uses. */
export const apiPages = [keys, key, plan, usage, requests]
