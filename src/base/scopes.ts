/** What a key can be allowed to do in addition to reading. */
export const scopes = ['bookings', 'keys', 'webhooks', 'agents', 'usage'] as const
export type Scope = (typeof scopes)[number]

/** All scopes except the one for creating keys. */
export const defaultScopes: readonly Scope[] = ['bookings', 'webhooks', 'agents', 'usage']
