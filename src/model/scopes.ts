/** What a key may do beyond reading venues and booking: each names the operations of one page of the dashboard. */
export const scopes = ['keys', 'webhooks', 'agents', 'usage'] as const
export type Scope = (typeof scopes)[number]
