import words from './audit-actions.json' with { type: 'json' }

/** Describes the actions in an account’s audit log. The part before the dot is the object. */
export const auditActions = words

export type AuditAction = keyof typeof auditActions

export const actorKinds = ['member', 'key', 'operator', 'system'] as const

/** The actor of a change; `name` is by default the key's name or the developer's address. */
export type Actor = { kind: (typeof actorKinds)[number]; id: string | null; name?: string }
