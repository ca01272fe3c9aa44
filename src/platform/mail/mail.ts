/** A mail in plain text to one address. */
export type Mail = { to: string; subject: string; text: string }

/** Hands a mail on; rejects when nobody takes it. */
export type SendMail = (mail: Mail) => Promise<void>
