import { type AuditAction, auditActions } from '../../base/audit-actions.ts'
import { HOUR_MS } from '../../base/durations.ts'
import { networkProfile } from '../../base/network.ts'
import { INVITATION_DAYS, type Role, roleWords } from '../../base/roles.ts'
import type { Services } from '../../contract/operation.ts'
import type { AuditRow } from '../../platform/database/audit-log.ts'
import { throttle } from '../../platform/database/throttle.ts'
import { RESET_HOURS, throttles, VERIFY_HOURS } from '../rules/sign-in.ts'
import { selectOptionalDeveloper } from '../store/developers.ts'
import { type Purpose, upsertMailedToken } from '../store/mailed-tokens.ts'
import { hashToken, newToken } from '../store/token-secret.ts'
import type { Visit } from './sessions.ts'

const { name } = networkProfile

/** The email limits per address, and the texts. `url` is the network's or contains a token. */
const mails = {
  verify_email: {
    limit: throttles.verifyToEmail,
    subject: `Verify your email address for ${name}`,
    lines: (url: string) => [
      'Somebody created an account with this email address. If it was you, open this link to ' +
        'verify it:',
      '',
      url,
      '',
      'Until then, resetting the password of the account also revokes its keys, removes its ' +
        'agents and disables its webhook endpoints.',
      `The link works once, within ${VERIFY_HOURS} hours. If it was not you, ignore this mail.`,
    ],
  },
  reset_password: {
    limit: throttles.resetToEmail,
    subject: `Reset your ${name} password`,
    lines: (url: string) => [
      'Somebody asked to reset the password of the account with this email address. If it was ' +
        'you, set a new one here:',
      '',
      url,
      '',
      `The link works once, within ${RESET_HOURS} hour. If it was not you, ignore this mail: ` +
        'your password has not changed.',
    ],
  },
  tried: {
    limit: throttles.triedToEmail,
    subject: `You already have a ${name} account`,
    lines: (url: string) => [
      'Somebody tried to open an account with this address, which has one already. If it was ' +
        'you, sign in or reset your password:',
      '',
      `${url}/sign-in`,
      `${url}/forgot-password`,
      '',
      'If it was not you, ignore this mail: nothing has changed.',
    ],
  },
  changed: {
    limit: throttles.changedToEmail,
    subject: `Your ${name} password was changed`,
    lines: (url: string) => [
      'The password of the account with this email address was changed, and all other sessions ' +
        'were signed out.',
      'If it was not you, set a new password now:',
      '',
      `${url}/forgot-password`,
    ],
  },
}

/** What a reset does for an address that nobody has verified. */
const resetEnds = (publicUrl: string): string[] => [
  '',
  'Before you set it: nobody has verified this address, so somebody else may have created the ' +
    'account. A new password therefore also revokes all API keys of the account, removes all its ' +
    'agents and disables all its webhook endpoints. Bookings stay.',
  'If you created it and want to keep everything, verify the address first: in a browser that is ' +
    'still signed in, or with the old password.',
  '',
  `${publicUrl}/dashboard/account`,
]

/** Tells an address about a sign-in from a new device or network address. */
export async function notifySignIn(services: MailServices, email: string, visit: Visit) {
  const { sendMail, settings } = services
  await throttle(services.db, throttles.signInToEmail, email, visit.at)
  const text = [
    `Somebody signed in to ${name} with this email address:`,
    '',
    ...visitLines(visit),
    '',
    'If it was you, there is nothing to do. If it was not, set a new password, which signs ' +
      'everybody out, and look at what was changed in the audit log:',
    '',
    `${settings.publicUrl}/forgot-password`,
    `${settings.publicUrl}/dashboard/audit`,
    '',
    `${name}, ${settings.publicUrl}\n`,
  ]
  const subject = `New sign-in to ${name}: ${visit.device}`
  await sendMail({ to: email, subject, text: text.join('\n') })
}

type Invitation = { to: string; by: string; account: string; role: Role; token: string }

/** Emails the link of an invitation. */
export async function sendInvitation(
  { sendMail, settings: { publicUrl } }: Pick<Services, 'sendMail' | 'settings'>,
  { to, by, account, role, token }: Invitation,
) {
  const text = [
    `${by} invites you to the account “${account}” on ${name}, with the role ${role}: ` +
      `${roleWords[role]}.`,
    '',
    `${publicUrl}/join?token=${token}`,
    '',
    `The link works once, within ${INVITATION_DAYS} days. If you do not know the sender, ignore ` +
      'this mail.',
    '',
    `${name}, ${publicUrl}\n`,
  ]
  await sendMail({
    to,
    subject: `${by} invites you to ${account} on ${name}`,
    text: text.join('\n'),
  })
}

type MailServices = Pick<Services, 'db' | 'sendMail' | 'settings'>

async function send(
  { sendMail, settings: { publicUrl } }: MailServices,
  kind: keyof typeof mails,
  to: string,
  url = publicUrl,
  more: readonly string[] = [],
) {
  const { subject, lines } = mails[kind]
  const text = [...lines(url), ...more, '', `${name}, ${publicUrl}\n`].join('\n')
  await sendMail({ to, subject, text })
}

const links = {
  verify_email: { path: '/verify-email', hours: VERIFY_HOURS },
  reset_password: { path: '/reset-password', hours: RESET_HOURS },
}

/** Earlier links for the same purpose stop working. */
async function sendLink(
  services: MailServices,
  purpose: Purpose,
  { id: developerId, email }: { id: string; email: string },
  at: Date,
  more?: readonly string[],
) {
  const { path, hours } = links[purpose]
  await throttle(services.db, mails[purpose].limit, email, at)
  const token = newToken()
  const expiresAt = new Date(at.getTime() + hours * HOUR_MS)
  const row = { hash: hashToken(token), developerId, purpose, at, expiresAt }
  await upsertMailedToken(services.db, row)
  const url = `${services.settings.publicUrl}${path}?token=${token}`
  await send(services, purpose, email, url, more)
}

/** Emails a link that verifies a developer's address. Throws `too_many_tries`. */
export const sendVerification = (
  services: MailServices,
  developer: { id: string; email: string },
  at: Date,
) => sendLink(services, 'verify_email', developer, at)

/**
 * Emails a reset link to the developer with this address, if any. The email says what a reset ends
 * if the address is not verified. Throws `too_many_tries`.
 */
export async function sendReset(services: MailServices, email: string, at: Date) {
  const developer = await selectOptionalDeveloper(services.db, email)
  if (!developer) return
  const more = developer.is_verified ? [] : resetEnds(services.settings.publicUrl)
  await sendLink(services, 'reset_password', developer, at, more)
}

/** Tells the owner of an address, if any, that somebody tried to sign up with it. */
export async function notifyOwner(services: MailServices, email: string, at: Date) {
  const owner = await selectOptionalDeveloper(services.db, email)
  if (!owner) return
  await throttle(services.db, mails.tried.limit, email, at)
  await send(services, 'tried', owner.email)
}

/** Tells an address that its password was changed. Throws `too_many_tries`. */
export async function notifyPasswordChanged(services: MailServices, email: string, at: Date) {
  await throttle(services.db, mails.changed.limit, email, at)
  await send(services, 'changed', email)
}

type NotifyDeleted = Pick<Services, 'sendMail'> & {
  settings: Pick<Services['settings'], 'publicUrl'>
}
type Deletion = {
  account: { id: string; name: string }
  by: string
  closed: Closed
  /** where it was done; absent for an operator’s command */
  visit?: Visit
}
type Closed = { owners: readonly string[]; changes: readonly AuditRow[] }

/** Emails every owner that their account was deleted, by whom, and the latest changes. */
export async function notifyDeleted(
  { sendMail, settings: { publicUrl } }: NotifyDeleted,
  { account, by, closed: { owners, changes }, visit }: Deletion,
) {
  const text = [
    `${by} deleted the account “${account.name}” on ${name}. Its keys, endpoints, agents and ` +
      'members are erased, and nothing brings them back. Fees that are due stay due.',
    '',
    ...(visit ? visitLines(visit) : []),
    `Account: ${account.id}`,
    '',
    'If an owner did not want this, tell the operator of the network and give the account id. ' +
      'The latest changes of the account were:',
    '',
    ...changes.map(changeLine),
    '',
    `${name}, ${publicUrl}\n`,
  ].join('\n')
  const subject = `Your ${name} account was deleted`
  await Promise.all(owners.map((to) => sendMail({ to, subject, text })))
}

const changeLine = ({ at, action, object_name, actor_name }: AuditRow): string => {
  const what = auditActions[action as AuditAction] ?? action
  const object = object_name ? ` (${object_name})` : ''
  return `${at.slice(0, 16).replace('T', ' ')} UTC  ${what}${object}, by ${actor_name}`
}

const visitLines = ({ at, address, device }: Visit) => [
  `Device: ${device}`,
  `Address: ${address}`,
  `Time: ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
]
