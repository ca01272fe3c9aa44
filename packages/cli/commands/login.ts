import { defineCommand } from '../command.ts'
import { createNetwork } from '../network/network.ts'
import { checkedKey } from '../target.ts'
import { readSecret } from '../terminal/read-secret.ts'

export const login = defineCommand({
  words: 'login',
  summary: 'Store an API key in a profile, after trying it.',
  details:
    'Asks for the key without showing it or, where stdin is not a terminal, reads it there. The file is readable by you alone, and the key is sent to the ' +
    'address that it was stored with and nowhere else.',
  args: {},
  options: {},
  examples: [
    'login --url https://network.example',
    'login --profile staging --url https://staging.network.example < key.txt',
  ],
  async run({ terminal, profiles, target, settings }) {
    const { url, profile } = await target()
    if (isExposed(url)) terminal.say(`The key goes to ${url} unencrypted.`)
    const key = checkedKey(await readSecret(terminal, `API key for ${url} (not shown): `))
    await createNetwork(url, key).ask({ path: '/api/ping' })
    await profiles.save(profile, { url, key })
    const answer = { profile, url, file: profiles.file }
    return {
      answer,
      text: () =>
        `The key works at ${url}. It is in the profile "${profile}" (${profiles.file}).\nTry: ${settings.program} search sushi in Canggu`,
    }
  },
})

const isExposed = (url: string): boolean => {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

export const logout = defineCommand({
  words: 'logout',
  summary: 'Forget the key of a profile. It stays valid.',
  args: {},
  options: {},
  examples: ['logout', 'logout --profile staging'],
  async run({ profiles, target }) {
    const { profile } = await target()
    const removed = await profiles.remove(profile)
    const left = (await profiles.names()).join(', ') || 'none'
    return {
      answer: { profile, removed },
      text: () =>
        `${removed ? 'Forgotten' : 'There was no profile'}: ${profile}. Profiles that there are: ${left}.`,
    }
  },
})
