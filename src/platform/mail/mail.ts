/** A mail in plain text to one address. */
type Mail = { to: string; subject: string; text: string }

/** Sends a mail; rejects when no server accepts it. */
export type SendMail = (mail: Mail) => Promise<void>

type MailSettings = { SMTP_URL?: string | undefined; NODE_ENV: string }

/**
 * How mails leave: by SMTP, into the mailbox at `/dev/mail` on a development machine, or not at
 * all.
 */
export const mailTransport = ({
  SMTP_URL,
  NODE_ENV,
}: MailSettings): 'smtp' | 'devMailbox' | 'none' => {
  if (SMTP_URL) return 'smtp'
  return NODE_ENV === 'production' ? 'none' : 'devMailbox'
}
