/** What a key may do besides searching and booking. */
export const scopes = ['keys', 'webhooks', 'agents', 'usage'] as const
export type Scope = (typeof scopes)[number]

/** Of a key that was made without saying which: everything but making keys. */
export const defaultScopes: readonly Scope[] = ['webhooks', 'agents', 'usage']
