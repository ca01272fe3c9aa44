import { apiKeyPattern } from '../../src/base/ids.ts'
import { UsageError } from '../../src/platform/command-line/usage-error.ts'
import { DEFAULT_PROFILE, type Profile, type Profiles, profileName } from './profiles.ts'
import type { Settings } from './settings.ts'

/** Default address of `npm start`. */
const LOCAL_URL = 'http://127.0.0.1:3000'

/** The target from flags, before profiles are read. */
export type TargetOptions = { url?: string | undefined; profile?: string | undefined }

/** A URL and its keys: `savedProfile` has the profile's key, `key` is the environment's. */
export type FoundTarget = {
  url: string
  profile: string
  savedProfile: Profile | undefined
  key: string | undefined
}

/**
 * Resolves the URL and profile. A profile given as a flag takes precedence over the environment,
 * whose key is for another URL.
 */
export async function findTarget(
  options: TargetOptions,
  settings: Settings,
  profiles: Profiles,
): Promise<FoundTarget> {
  const profile = options.profile ?? settings.profile ?? DEFAULT_PROFILE
  if (!profileName.test(profile)) {
    throw new UsageError('A profile name takes letters, digits, dots, dashes and underscores.')
  }
  const savedProfile = await profiles.find(profile)
  const isTyped = options.profile !== undefined
  const [first, second] = isTyped
    ? [savedProfile?.url, settings.url]
    : [settings.url, savedProfile?.url]
  const url = webAddress(options.url ?? first ?? second ?? LOCAL_URL)
  return { url, profile, savedProfile, key: isTyped ? undefined : settings.key }
}

/**
 * The given key, otherwise the profile's, which is sent only to the URL for which it was stored.
 * The `UsageError` thrown without a key says how to get one.
 */
export function keyFor(
  target: Pick<FoundTarget, 'url' | 'profile' | 'savedProfile'>,
  key: string | undefined,
  program: string,
): string {
  const { url, profile, savedProfile } = target
  if (key !== undefined) return checkedKey(key)
  const forProfile = profile === DEFAULT_PROFILE ? '' : ` --profile ${profile}`
  const login = `${program} login${forProfile} --url ${url}`
  if (!savedProfile) throw new UsageError(`There is no key for ${url}. Store one: ${login}`)
  if (savedProfile.url !== url) {
    throw new UsageError(
      `The key of profile "${profile}" belongs to ${savedProfile.url} and is not sent to ${url}. ` +
        `Store one for it: ${program} login --profile NAME --url ${url}`,
    )
  }
  return savedProfile.key
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
