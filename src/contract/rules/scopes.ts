/** What a key may do besides searching and booking. */
export const scopes = ['keys', 'webhooks', 'agents', 'usage'] as const
export type Scope = (typeof scopes)[number]

/** All but creating keys. */
export const defaultScopes: readonly Scope[] = ['webhooks', 'agents', 'usage']
