import words from './audit-actions.json' with { type: 'json' }

/** The actions in an account’s audit log, in words. The part before the dot is the object. */
export const auditActions = words

export type AuditAction = keyof typeof auditActions

export const actorKinds = ['member', 'key', 'operator', 'system'] as const

/** The actor of a change. Without a name, use the key's name or the developer's address. */
export type Actor = { kind: (typeof actorKinds)[number]; id: string | null; name?: string }
