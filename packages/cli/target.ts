import { apiKeyPattern } from '../../src/base/ids.ts'
import { UsageError } from '../../src/platform/command-line/usage-error.ts'
import { DEFAULT_PROFILE, type Profile, type Profiles, profileName } from './profiles.ts'
import type { Settings } from './settings.ts'

/** Default address of `npm start`. */
const LOCAL_URL = 'http://127.0.0.1:3000'

/** The target from flags, before profiles are read. */
export type Wanted = { url?: string | undefined; profile?: string | undefined }

/** A URL and its keys: `stored` from the profile, `key` from the environment. */
export type FoundTarget = {
  url: string
  profile: string
  stored: Profile | undefined
  key: string | undefined
}

/**
 * Resolves the URL and profile. A profile given as a flag wins over the environment, whose key is
 * for another URL.
 */
export async function findTarget(
  wanted: Wanted,
  settings: Settings,
  profiles: Profiles,
): Promise<FoundTarget> {
  const profile = wanted.profile ?? settings.profile ?? DEFAULT_PROFILE
  if (!profileName.test(profile)) {
    throw new UsageError('A profile name takes letters, digits, dots, dashes and underscores.')
  }
  const stored = await profiles.find(profile)
  const isTyped = wanted.profile !== undefined
  const [first, second] = isTyped ? [stored?.url, settings.url] : [settings.url, stored?.url]
  const url = webAddress(wanted.url ?? first ?? second ?? LOCAL_URL)
  return { url, profile, stored, key: isTyped ? undefined : settings.key }
}

/**
 * The key for a URL: the given one, else the profile's, which is only sent to the URL it was stored
 * with. Throws `UsageError` that says how to get one.
 */
export function keyFor(
  target: Pick<FoundTarget, 'url' | 'profile' | 'stored'>,
  given: string | undefined,
  program: string,
): string {
  const { url, profile, stored } = target
  if (given !== undefined) return checkedKey(given)
  const forProfile = profile === DEFAULT_PROFILE ? '' : ` --profile ${profile}`
  const login = `${program} login${forProfile} --url ${url}`
  if (!stored) throw new UsageError(`There is no key for ${url}. Store one: ${login}`)
  if (stored.url !== url) {
    throw new UsageError(
      `The key of profile "${profile}" belongs to ${stored.url} and is not sent to ${url}. ` +
        `Store one for it: ${program} login --profile NAME --url ${url}`,
    )
  }
  return stored.key
}

/** Checks the form of a key; the `UsageError` does not repeat it. */
export function checkedKey(text: string): string {
  const key = text.trim()
  if (apiKeyPattern.test(key)) return key
  throw new UsageError('Not an API key: expected service_live_ or service_test_ and 43 more.')
}

function webAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new UsageError(`"${text}" is not a URL such as https://network.example.`)
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}
