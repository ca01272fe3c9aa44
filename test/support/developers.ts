import { randomUUIDv7 } from 'node:crypto'
import { insertAccount } from '../../src/store/accounts.ts'
import { insertSession } from '../../src/store/developer-sessions.ts'
import { insertDeveloper, updateOperator } from '../../src/store/developers.ts'
import type { Db } from '../../src/store/sql.ts'
import { hashToken, newToken } from '../../src/store/token-secret.ts'
import { type Answer, look } from './venue-people.ts'

/** A developer's browser without JavaScript: it is signed in and follows no redirect. */
export type Browser = {
  accountId: string
  developerId: string
  email: string
  cookie: string
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** Sends a form as a page of the same site would. */
  post(
    path: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Answer>
}

const DAY_MS = 86_400_000

/** An account of somebody who is signed in already, without having signed up. */
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
  if (isOperator) await updateOperator(db, email, true)
  const token = newToken()
  const session = { id: randomUUIDv7(), developerId, device: 'Test', at }
  const expiresAt = new Date(at.getTime() + DAY_MS)
  await insertSession(db, { ...session, tokenHash: hashToken(token), expiresAt })
  const cookie = `venue_session=${token}`
  return { accountId, developerId, email, cookie, ...browse(url, cookie) }
}

/** Requests of a browser with this cookie. */
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
