import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { tokenPattern } from '../../src/accounts/rules/sign-in.ts'
import { newRawKey } from '../../src/accounts/store/key-secret.ts'
import { hashToken, newToken } from '../../src/accounts/store/token-secret.ts'
import { apiKeyPattern } from '../../src/base/ids.ts'
import { decodeCursor, encodeCursor } from '../../src/contract/cursor.ts'
import { devMailboxUrl, opensDevMailbox } from '../../src/platform/mail/dev-mailbox.ts'
import { idOfLinkToken, linkToken } from '../../src/platform/sealing/link-tokens.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'

const sealer = createSealer(parseSealingKeys(newSealingKey()) ?? [])

/** Spellings that base64 decoders read as the same bytes. */
const aliases = (token: string): string[] => {
  const plus = token.replaceAll('-', '+').replaceAll('_', '/')
  return [
    ...['=', '==', '==AAAA', 'A', '.', '!', ' ', '\n', '%20'].map((end) => token + end),
    ...['!', ' ', '.', '\t', '=', '....'].map(
      (inner) => token.slice(0, 9) + inner + token.slice(9),
    ),
    ` ${token}`,
    ...(plus === token ? [] : [plus]),
    // Some bits of the last character are ignored by decoders.
    ...[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((last) => token.slice(0, -1) + last)
      .filter((one) => one !== token),
  ]
}

describe('one token has one spelling', () => {
  test('of links to the pages of guests, staff and known browsers', () => {
    for (let round = 0; round < 20; round += 1) {
      const id = randomUUID()
      const token = linkToken(sealer, 'guest-page', id)
      expect(idOfLinkToken(sealer, 'guest-page', token)).toBe(id)
      const opened = aliases(token).filter((one) => idOfLinkToken(sealer, 'guest-page', one))
      expect(opened).toEqual([])
    }
  })

  test('of cursors', () => {
    const position = z.tuple([z.string(), z.number()])
    for (const name of ['a', 'ab', 'abc', 'ÿ?~']) {
      const cursor = encodeCursor([name, 7])
      expect(decodeCursor(position, cursor)).toEqual([name, 7])
      const spaced = Buffer.from(`[ "${name}", 7 ]`).toString('base64url')
      for (const other of [...aliases(cursor), spaced]) {
        expect(() => decodeCursor(position, other)).toThrow()
      }
    }
  })

  test('of sessions, mailed links and invitations, which are looked up by the digest', () => {
    for (let round = 0; round < 20; round += 1) {
      const token = newToken()
      const hash = hashToken(token)
      const same = aliases(token).filter(
        (one) => tokenPattern.test(one) && hashToken(one).equals(hash),
      )
      expect(same).toEqual([])
    }
  })

  test('of keys', () => {
    const key = newRawKey('live')
    expect(aliases(key).filter((one) => apiKeyPattern.test(one) && one === key)).toEqual([])
  })

  test('of the mailbox of a development machine', () => {
    const token = devMailboxUrl('', sealer).split('token=')[1] ?? ''
    expect(opensDevMailbox(token, sealer)).toBe(true)
    expect(aliases(token).filter((one) => opensDevMailbox(one, sealer))).toEqual([])
  })
})
