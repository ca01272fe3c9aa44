import { networkProfile } from '../../contract/rules/network.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { RESET_HOURS, VERIFY_HOURS } from '../rules/sign-in.ts'

const signed = (lines: readonly string[], publicUrl: string) =>
  `${[...lines, '', `${networkProfile.name}, ${publicUrl}`].join('\n')}\n`

type To = { to: string; publicUrl: string }

/** Asks whether the address is that of its account. */
export const verifyMail = ({ to, publicUrl }: To, token: string): Mail => ({
  to,
  subject: `Verify your address for ${networkProfile.name}`,
  text: signed(
    [
      'An account was opened with this address. If that was you, open this link and confirm:',
      '',
      `${publicUrl}/verify-email?token=${token}`,
      '',
      `It is good once, for ${VERIFY_HOURS} hours. If it was not you, there is nothing to do.`,
    ],
    publicUrl,
  ),
})

/** Leads to a new password. */
export const resetMail = ({ to, publicUrl }: To, token: string): Mail => ({
  to,
  subject: `A new password for ${networkProfile.name}`,
  text: signed(
    [
      'Somebody asked for a new password for the account with this address. If that was you, set it here:',
      '',
      `${publicUrl}/reset-password?token=${token}`,
      '',
      `The link is good once, for ${RESET_HOURS} hour. If it was not you, there is nothing to do: your password stays as it is.`,
    ],
    publicUrl,
  ),
})

/** Tells that somebody tried to sign up with an address that has an account. */
export const triedMail = ({ to, publicUrl }: To): Mail => ({
  to,
  subject: `You have an account at ${networkProfile.name} already`,
  text: signed(
    [
      'Somebody tried to open an account with this address, which has one. If that was you, sign in, or set a new password:',
      '',
      `${publicUrl}/sign-in`,
      `${publicUrl}/forgot-password`,
      '',
      'If it was not you, there is nothing to do: nothing was opened or changed.',
    ],
    publicUrl,
  ),
})

/** Tells that the password was changed, in case it was somebody else. */
export const changedMail = ({ to, publicUrl }: To): Mail => ({
  to,
  subject: `Your password for ${networkProfile.name} was changed`,
  text: signed(
    [
      'The password of the account with this address was changed, and its other sessions were ended.',
      'If that was not you, set a new one now:',
      '',
      `${publicUrl}/forgot-password`,
    ],
    publicUrl,
  ),
})
