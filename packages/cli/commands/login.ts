import { defineCommand } from '../command.ts'
import { createNetwork } from '../network/network.ts'
import { checkedKey } from '../target.ts'
import { readSecret } from '../terminal/read-secret.ts'

export const login = defineCommand({
  words: 'login',
  summary: 'Check an API key and store it in a profile.',
  details:
    'Prompts for the key without echoing it, or reads it from stdin if that is not a ' +
    'terminal. Only you can read the file, and the key is sent only to the URL that it was ' +
    'stored with.',
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
        `The key works at ${url}. It is stored in profile "${profile}" ` +
        `(${profiles.file}).\nTry: ${settings.program} search sushi in Canggu`,
    }
  },
})

const isExposed = (url: string): boolean => {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

export const logout = defineCommand({
  words: 'logout',
  summary: 'Remove a profile’s key from this machine. The key stays valid.',
  examples: ['logout', 'logout --profile staging'],
  async run({ profiles, target }) {
    const { profile } = await target()
    const removed = await profiles.remove(profile)
    const profileNames = (await profiles.names()).join(', ') || 'none'
    return {
      answer: { profile, removed },
      text: () =>
        `${removed ? 'Removed profile' : 'No such profile:'} ${profile}. ` +
        `Remaining profiles: ${profileNames}.`,
    }
  },
})
