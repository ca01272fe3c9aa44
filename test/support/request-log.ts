import { type Browser, openBrowser } from './developers.ts'
import { addKey, bearer, type Doors, jsonOf } from './open-doors.ts'
import { eventually } from './programs.ts'

/** A signed-in developer, with a key that has every scope. */
export async function openDeveloper(
  doors: Pick<Doors, 'url' | 'db'>,
): Promise<{ developer: Browser; key: string }> {
  const developer = await openBrowser(doors, { tier: 'pro' })
  const { key, keyId } = await addKey(doors.db, developer.accountId)
  await doors.db.query(
    `update api_key set scopes = '{bookings,keys,webhooks,agents,usage}' where id = $1`,
    [keyId],
  )
  return { developer, key }
}

/** The request id in a response. */
export const requestIdOf = ({ headers }: Response): string => headers.get('x-request-id') ?? ''

/** REST's answer for a request id. */
export const readRequest = async (doors: { url: string }, key: string, id: string) =>
  jsonOf(await fetch(`${doors.url}/api/requests/${id}`, { headers: bearer(key) }))

/** One complete request, once it is in the log. */
export const loggedRequest = (doors: { url: string }, key: string, id: string): Promise<any> =>
  eventually('the request', async () => {
    const found = await readRequest(doors, key, id)
    return found.request ? found : undefined
  })
