import { type AuditAction, auditActions } from '../../base/audit-actions.ts'
import { HOUR_MS } from '../../base/durations.ts'
import { fillText } from '../../base/fill-text.ts'
import { networkProfile } from '../../base/network.ts'
import { INVITATION_DAYS, type Role, roleWords } from '../../base/roles.ts'
import type { Services } from '../../contract/operation.ts'
import type { AuditRow } from '../../platform/database/audit-log.ts'
import { throttle } from '../../platform/database/throttle.ts'
import { RESET_HOURS, throttles, VERIFY_HOURS } from '../rules/sign-in.ts'
import { selectOptionalDeveloper } from '../store/developers.ts'
import { type Purpose, upsertMailedToken } from '../store/mailed-tokens.ts'
import { hashToken, newToken } from '../store/token-secret.ts'
import texts from './account-mails.json' with { type: 'json' }
import type { Visit } from './sessions.ts'

type Mail = Exclude<keyof typeof texts, 'reset_unverified'>
type Values = Readonly<Record<string, string | number>>

/** An email filled with `values`; `more` lines precede the network's name. */
function mailOf(mail: Mail, publicUrl: string, values: Values = {}, more: readonly string[] = []) {
  const { name } = networkProfile
  const { subject, lines } = texts[mail]
  const fill = (text: string) => fillText(text, { ...values, name, publicUrl })
  const text = [...lines.map(fill), ...more, '', `${name}, ${publicUrl}\n`].join('\n')
  return { subject: fill(subject), text }
}

const limits = {
  sign_in: throttles.signInToEmail,
  connected: throttles.connectedToEmail,
  changed: throttles.changedToEmail,
  factors: throttles.factorsToEmail,
}

/**
 * Notifies an address, if given, of what happened in a visit: a sign-in from a new device or
 * network address, an assistant that can now act for them (`client`, `host`, `account`), a changed
 * password, or another way to sign in (`what`). Throws `too_many_tries`.
 */
export async function notify(
  { db, sendMail, settings }: MailServices,
  mail: keyof typeof limits,
  to: string | undefined,
  visit: Visit,
  values: Values = {},
): Promise<void> {
  if (to === undefined) return
  await throttle(db, limits[mail], to, visit.at)
  const all = { ...values, device: visit.device, visit: visitText(visit) }
  await sendMail({ to, ...mailOf(mail, settings.publicUrl, all) })
}

type Invitation = { to: string; by: string; account: string; role: Role; token: string }

/** Emails an invitation link. */
export async function sendInvitation(
  { sendMail, settings: { publicUrl } }: Pick<Services, 'sendMail' | 'settings'>,
  { to, role, ...invitation }: Invitation,
) {
  const values = { ...invitation, role, may: roleWords[role], days: INVITATION_DAYS }
  await sendMail({ to, ...mailOf('invitation', publicUrl, values) })
}

type MailServices = Pick<Services, 'db' | 'sendMail'> & {
  settings: Pick<Services['settings'], 'publicUrl'>
}

const links = {
  verify_email: { limit: throttles.verifyToEmail, path: '/verify-email', hours: VERIFY_HOURS },
  reset_password: { limit: throttles.resetToEmail, path: '/reset-password', hours: RESET_HOURS },
}

/** Earlier links for the same purpose stop working. */
async function sendLink(
  services: MailServices,
  purpose: Purpose,
  { id: developerId, email }: { id: string; email: string },
  at: Date,
  more: readonly string[] = [],
) {
  const { db, sendMail, settings } = services
  const { limit, path, hours } = links[purpose]
  await throttle(db, limit, email, at)
  const token = newToken()
  const expiresAt = new Date(at.getTime() + hours * HOUR_MS)
  const row = { hash: hashToken(token), developerId, purpose, at, expiresAt }
  await upsertMailedToken(db, row)
  const url = `${settings.publicUrl}${path}?token=${token}`
  await sendMail({ to: email, ...mailOf(purpose, settings.publicUrl, { url, hours }, more) })
}

/** Emails a link that verifies a developer's address. Throws `too_many_tries`. */
export const sendVerification = (
  services: MailServices,
  developer: { id: string; email: string },
  at: Date,
) => sendLink(services, 'verify_email', developer, at)

/**
 * Emails a reset link to the developer with this address, if any. If the address is unverified, the
 * email says what a reset will end. Throws `too_many_tries`.
 */
export async function sendReset(services: MailServices, email: string, at: Date) {
  const developer = await selectOptionalDeveloper(services.db, email)
  if (!developer) return
  const warning = texts.reset_unverified.lines.map((line) => fillText(line, services.settings))
  await sendLink(services, 'reset_password', developer, at, developer.is_verified ? [] : warning)
}

/** Notifies the owner of an address, if any, that somebody tried to sign up with it. */
export async function notifyOwner(services: MailServices, email: string, at: Date) {
  const owner = await selectOptionalDeveloper(services.db, email)
  if (!owner) return
  await throttle(services.db, throttles.triedToEmail, email, at)
  await services.sendMail({ to: owner.email, ...mailOf('tried', services.settings.publicUrl) })
}

type NotifyDeleted = Omit<MailServices, 'db'>
type Deletion = {
  account: { id: string; name: string }
  by: string
  closed: Closed
  /** where the deletion came from; absent for an operator’s command */
  visit?: Visit
}
type Closed = { owners: readonly string[]; changes: readonly AuditRow[] }

/** Notifies every owner that their account was deleted and by whom, listing the latest changes. */
export async function notifyDeleted(
  { sendMail, settings: { publicUrl } }: NotifyDeleted,
  { account, by, closed: { owners, changes }, visit }: Deletion,
) {
  const values = { by, account: account.name, id: account.id, visit: visit ? visitText(visit) : '' }
  const mail = mailOf('deleted', publicUrl, values, changes.map(changeLine))
  await Promise.all(owners.map((to) => sendMail({ to, ...mail })))
}

const changeLine = ({ at, action, object_name, actor_name }: AuditRow): string => {
  const what = auditActions[action as AuditAction] ?? action
  const object = object_name ? ` (${object_name})` : ''
  return `${minute(at)} UTC  ${what}${object}, by ${actor_name}`
}

const visitText = ({ at, address, device }: Visit) =>
  `Device: ${device}\nAddress: ${address}\nTime: ${minute(at.toISOString())} UTC\n`

const minute = (at: string) => at.slice(0, 16).replace('T', ' ')
