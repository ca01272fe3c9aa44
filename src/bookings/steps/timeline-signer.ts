import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { SealingKey } from '../../platform/sealing/sealing-keys.ts'
import { HEAD_DOMAIN, type TimelineJwk, type TimelineSigner } from '../rules/timeline.ts'

/** RFC 8410: the PKCS #8 prefix before the 32 bytes of a private Ed25519 key. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Signs with the first private Ed25519 key (RFC 8032); publishes all the public keys. */
export function createTimelineSigner(keys: readonly SealingKey[]): TimelineSigner {
  const pairs = keys.map(({ id, key }) => ({ kid: id, privateKey: ed25519(key) }))
  const [first] = pairs
  if (!first) throw new Error('There is no key to sign timelines with.')
  return {
    keys: pairs.map(publicKey),
    sign(head) {
      const message = Buffer.from(HEAD_DOMAIN + canonicalize(head))
      const value = sign(null, message, first.privateKey).toString('base64url')
      return { alg: 'Ed25519', kid: first.kid, value }
    },
  }
}

const ed25519 = (key: KeyObject) =>
  createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, key.export()]),
    format: 'der',
    type: 'pkcs8',
  })

function publicKey({ kid, privateKey }: { kid: string; privateKey: KeyObject }): TimelineJwk {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return { kty: 'OKP', crv: 'Ed25519', alg: 'Ed25519', use: 'sig', kid, x }
}
