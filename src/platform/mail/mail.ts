/** A mail in plain text to one address. */
export type Mail = { to: string; subject: string; text: string }

/** Hands a mail on; rejects when nobody takes it. */
export type SendMail = (mail: Mail) => Promise<void>

type MailSettings = { SMTP_URL?: string | undefined; NODE_ENV: string }

/** What becomes of mails: they are sent, kept at `/dev/mail` on a machine for development, or go nowhere. */
export const mailTransport = ({ SMTP_URL, NODE_ENV }: MailSettings): 'sent' | 'kept' | 'none' => {
  if (SMTP_URL) return 'sent'
  return NODE_ENV === 'production' ? 'none' : 'kept'
}
