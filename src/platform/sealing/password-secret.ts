import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createFairQueue } from '../process/fair-queue.ts'
import { cost } from './password-cost.ts'

const derive = promisify(argon2)

/**
 * Hashing a password occupies a libuv thread for 70 ms. Two of the four threads stay free, because
 * new database connections resolve their host name on them.
 */
const inTurn = createFairQueue({ atOnce: 2, maxWaiting: 20 })

const TAG_BYTES = 32
const SALT_BYTES = 16
const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/**
 * A password's argon2id hash: a PHC string with salt and cost. Throws `overloaded` if too many
 * callers wait; network addresses take turns.
 */
export async function hashPassword(password: string, address = ''): Promise<string> {
  const nonce = randomBytes(SALT_BYTES)
  const terms = { ...cost, nonce, tagLength: TAG_BYTES }
  const tag = await inTurn(address, () => tagOf(password, terms))
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(nonce)}$${text(tag)}`
}

/**
 * Whether a password matches a hash. Without a hash, takes as long and returns false. Throws like
 * `hashPassword`.
 */
export async function verifyPassword(password: string, hash: string | undefined, address = '') {
  const [, memory, passes, parallelism, salt = '', expected = ''] = phc.exec(hash ?? '') ?? []
  if (!expected) {
    await hashPassword(password, address)
    return false
  }
  const tag = Buffer.from(expected, 'base64')
  const terms = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const nonce = Buffer.from(salt, 'base64')
  const actual = await inTurn(address, () =>
    tagOf(password, { ...terms, nonce, tagLength: tag.length }),
  )
  return timingSafeEqual(tag, actual)
}

type Terms = typeof cost & { nonce: Buffer; tagLength: number }

/** NFKC makes passwords typed on different keyboards equal (NIST SP 800-63B, 3.1.1.2). */
const tagOf = (password: string, terms: Terms): Promise<Buffer> =>
  derive('argon2id', { message: password.normalize('NFKC'), ...terms })

const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
