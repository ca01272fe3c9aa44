/** What the audit log of an account has, in words. The part before the dot is the object. */
export const auditActions = {
  'account.created': 'Account created',
  'account.limits_changed': 'Limits changed',
  'account.quota_changed': 'Daily quota changed',
  'account.recording_changed': 'Recording of bodies changed',
  'account.resumed': 'Account resumed',
  'account.suspended': 'Account suspended',
  'agent.deleted': 'Agent deleted',
  'agent.registered': 'Agent registered',
  'agent.updated': 'Agent changed',
  'booking.woken': 'Booking woken',
  'delivery.retried': 'Deliveries retried',
  'deposit.decided': 'Dispute about a deposit decided',
  'email.verified': 'Email address verified',
  'endpoint.created': 'Endpoint created',
  'endpoint.deleted': 'Endpoint deleted',
  'endpoint.disabled': 'Endpoint disabled',
  'endpoint.enabled': 'Endpoint enabled',
  'endpoint.paused': 'Endpoint paused',
  'endpoint.resumed': 'Endpoint resumed',
  'endpoint.secret_activated': 'Staged secret activated',
  'endpoint.secret_rotated': 'Signing secret rotated',
  'endpoint.secrets_revoked': 'All signing secrets revoked',
  'endpoint.updated': 'Endpoint changed',
  'endpoint.woken': 'Endpoint woken',
  'key.created': 'Key created',
  'key.revoked': 'Key revoked',
  'key.rolled': 'Key rolled',
  'key.updated': 'Key changed',
  'member.invitation_revoked': 'Invitation revoked',
  'member.invited': 'Member invited',
  'member.joined': 'Member joined',
  'member.left': 'Member left',
  'member.removed': 'Member removed',
  'member.role_changed': 'Role changed',
  'password.changed': 'Password changed',
  'password.reset': 'Password reset',
  'plan.changed': 'Plan changed',
  'replay.cancelled': 'Replay cancelled',
  'replay.created': 'Replay started',
  'replay.paused': 'Replay paused',
  'replay.resumed': 'Replay resumed',
  'session.ended': 'Signed out',
  'session.started': 'Signed in',
} as const

export type AuditAction = keyof typeof auditActions

export const actorKinds = ['member', 'key', 'operator', 'system'] as const

/** Who changes something. Without a name, that of the key or the address of the developer. */
export type Actor = { kind: (typeof actorKinds)[number]; id: string | null; name?: string }
