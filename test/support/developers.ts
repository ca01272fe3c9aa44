import { randomUUIDv7 } from 'node:crypto'
import { vi } from 'vitest'
import { insertAccount } from '../../src/accounts/store/accounts.ts'
import { insertSession } from '../../src/accounts/store/developer-sessions.ts'
import {
  insertDeveloper,
  updateOperator,
  updateVerified,
} from '../../src/accounts/store/developers.ts'
import { insertMember } from '../../src/accounts/store/members.ts'
import { insertFactor } from '../../src/accounts/store/second-factors.ts'
import { hashToken, newToken } from '../../src/accounts/store/token-secret.ts'
import { DAY_MS } from '../../src/base/durations.ts'
import type { Role } from '../../src/base/roles.ts'
import type { Db } from '../../src/platform/database/sql.ts'
import { type Answer, look } from './venue-people.ts'

/** A developer's browser without JavaScript, signed in; it does not follow redirects. */
export type Browser = {
  accountId: string
  developerId: string
  email: string
  cookie: string
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** Sends a form as a page on the same site would. */
  post(
    path: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Answer>
}

/** An authenticator app that nobody has: operators need a second factor. */
const UNUSED_FACTOR = { secret: 'sealed elsewhere', counter: 1 }

/** A browser signed in to a new account, without a sign-up. */
export async function openBrowser(
  { url, db }: { url: string; db: Db },
  { tier = 'free', isOperator = false }: { tier?: 'free' | 'pro'; isOperator?: boolean } = {},
): Promise<Browser> {
  const at = new Date()
  const accountId = randomUUIDv7()
  const developerId = randomUUIDv7()
  const email = `${developerId}@example.com`
  await insertAccount(db, { id: accountId, name: 'test', tier, at })
  await insertDeveloper(db, { id: developerId, accountId, email, passwordHash: 'none', at })
  if (isOperator) {
    await updateVerified(db, developerId, at)
    await updateOperator(db, email, true)
    await insertFactor(db, { id: randomUUIDv7(), developerId, name: 'App', ...UNUSED_FACTOR, at })
  }
  const token = newToken()
  const session = { id: randomUUIDv7(), developerId, device: 'Test', at }
  const expiresAt = new Date(at.getTime() + DAY_MS)
  await insertSession(db, { ...session, tokenHash: hashToken(token), expiresAt })
  const cookie = `venue_session=${token}`
  return { accountId, developerId, email, cookie, ...browse(url, cookie) }
}

/** A browser signed in as another member of an account. */
export async function openMember(
  { url, db }: { url: string; db: Db },
  accountId: string,
  role: Role,
): Promise<Browser> {
  const at = new Date()
  const developerId = randomUUIDv7()
  const email = `${developerId}@example.com`
  const developer = { id: developerId, accountId: null, email, passwordHash: 'none', at }
  await insertDeveloper(db, developer)
  await insertMember(db, { accountId, developerId, role, at })
  const token = newToken()
  const session = { id: randomUUIDv7(), developerId, accountId, device: 'Test', at }
  const expiresAt = new Date(at.getTime() + DAY_MS)
  await insertSession(db, { ...session, tokenHash: hashToken(token), expiresAt })
  const cookie = `venue_session=${token}`
  return { accountId, developerId, email, cookie, ...browse(url, cookie) }
}

/** Requests from a browser with this cookie. */
export const browse = (url: string, cookie: string): Pick<Browser, 'get' | 'post'> => ({
  get: (path, headers = {}) =>
    look(url + path, { redirect: 'manual', headers: { cookie, ...headers } }),
  post: (path, fields = {}, headers = {}) =>
    look(url + path, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
      headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers },
    }),
})

/** A browser that stores and clears cookies, starting with at most this one. */
export function openVisitor(url: string, cookie = '') {
  const [first = '', token = ''] = cookie.split('=', 2)
  const cookies = new Map(first ? [[first, token]] : [])
  const keep = (answer: Answer): Answer => {
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';', 1)[0]?.split('=', 2) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  const all = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return {
    /** the session cookie alone */
    cookie: () => {
      const session = cookies.get('venue_session')
      return session === undefined ? '' : `venue_session=${session}`
    },
    get: async (...args: Parameters<Browser['get']>) => keep(await browse(url, all()).get(...args)),
    post: async (...args: Parameters<Browser['post']>) =>
      keep(await browse(url, all()).post(...args)),
  }
}

export type Visitor = ReturnType<typeof openVisitor>

/** The emails to an address, oldest first, once there are `count`. */
export const mailsTo = (db: Db, email: string, count = 1): Promise<string[]> =>
  vi.waitFor(async () => {
    const { rows } = await db.query(
      'select subject, body from mail where recipient = $1 order by created_at, id',
      [email],
    )
    if (rows.length < count) throw new Error(`${rows.length} mails to ${email}`)
    return rows.map(({ subject, body }) => `${subject}\n${body}`)
  }, 60_000)

/** The token in an email's link. */
export const tokenIn = (mail: string | undefined): string =>
  /token=([A-Za-z0-9_-]{43})/.exec(mail ?? '')?.[1] ?? 'no token'
