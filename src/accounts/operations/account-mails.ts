import { networkProfile } from '../../contract/rules/network.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { RESET_HOURS, VERIFY_HOURS } from '../rules/sign-in.ts'

const signed = (lines: readonly string[], publicUrl: string) =>
  `${[...lines, '', `${networkProfile.name}, ${publicUrl}`].join('\n')}\n`

type To = { to: string; publicUrl: string }

/** Contains the link that verifies an email address. */
export const verifyMail = ({ to, publicUrl }: To, token: string): Mail => ({
  to,
  subject: `Verify your email address for ${networkProfile.name}`,
  text: signed(
    [
      'Somebody created an account with this email address. If it was you, open this link to ' +
        'verify it:',
      '',
      `${publicUrl}/verify-email?token=${token}`,
      '',
      `The link works once, within ${VERIFY_HOURS} hours. If it was not you, ignore this mail.`,
    ],
    publicUrl,
  ),
})

/** Contains the link to set a new password. */
export const resetMail = ({ to, publicUrl }: To, token: string): Mail => ({
  to,
  subject: `Reset your ${networkProfile.name} password`,
  text: signed(
    [
      'Somebody asked to reset the password of the account with this email address. If it was ' +
        'you, set a new one here:',
      '',
      `${publicUrl}/reset-password?token=${token}`,
      '',
      `The link works once, within ${RESET_HOURS} hour. If it was not you, ignore this mail: ` +
        'your password has not changed.',
    ],
    publicUrl,
  ),
})

/** Says that somebody tried to sign up with an address that has an account. */
export const triedMail = ({ to, publicUrl }: To): Mail => ({
  to,
  subject: `You already have a ${networkProfile.name} account`,
  text: signed(
    [
      'Somebody tried to open an account with this address, which has one already. If it was ' +
        'you, sign in or reset your password:',
      '',
      `${publicUrl}/sign-in`,
      `${publicUrl}/forgot-password`,
      '',
      'If it was not you, ignore this mail: nothing has changed.',
    ],
    publicUrl,
  ),
})

/** Says that the password was changed, in case it was somebody else. */
export const changedMail = ({ to, publicUrl }: To): Mail => ({
  to,
  subject: `Your ${networkProfile.name} password was changed`,
  text: signed(
    [
      'The password of the account with this email address was changed, and all other sessions ' +
        'were signed out.',
      'If it was not you, set a new password now:',
      '',
      `${publicUrl}/forgot-password`,
    ],
    publicUrl,
  ),
})
