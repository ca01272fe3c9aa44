import { randomUUIDv7 } from 'node:crypto'
import { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'
import type { Db } from '../database/sql.ts'
import { namesLoopback } from '../http/target.ts'
import type { Log } from '../telemetry/log.ts'
import { insertMail } from './dev-mailbox.ts'

const TIMEOUT_MS = 10_000

/** Sends plain text; rejects when no server accepts it. */
export type SendMail = (mail: { to: string; subject: string; text: string }) => Promise<void>

/** By SMTP, into `/dev/mail` on a development machine, or not at all. */
export const mailTransport = ({
  SMTP_URL,
  NODE_ENV,
}: Pick<Config, 'SMTP_URL' | 'NODE_ENV'>): 'smtp' | 'devMailbox' | 'none' => {
  if (SMTP_URL) return 'smtp'
  return NODE_ENV === 'production' ? 'none' : 'devMailbox'
}

/** Logs have no addresses and no texts. */
export function createSendMail(config: Config, db: Db, log: Log): SendMail {
  const { SMTP_URL, MAIL_FROM } = config
  if (SMTP_URL) return throughSmtp(SMTP_URL, MAIL_FROM ?? '', log)
  if (mailTransport(config) === 'none') {
    log.warn('SMTP_URL is not set: no mail is sent, so no address can be verified')
    return async ({ subject }) => log.warn({ subject }, 'a mail was dropped')
  }
  return async ({ to, subject, text }) => {
    const id = randomUUIDv7()
    await insertMail(db, { id, recipient: to, subject, body: text, created_at: new Date() })
    log.info({ mail_id: id, subject }, 'a mail was stored for /dev/mail')
  }
}

function throughSmtp(url: string, from: string, log: Log): SendMail {
  const { hostname, port, protocol, username, password } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  const transport = createTransport({
    host,
    port: Number(port) || (protocol === 'smtps:' ? 465 : 587),
    secure: protocol === 'smtps:',
    // A stranger on the way could hide STARTTLS and read credentials and links.
    requireTLS: protocol === 'smtp:' && !namesLoopback(host),
    ...(username && { auth }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ to, subject, text }) => {
    const mail = { from, to: { name: '', address: to }, subject, text }
    await transport.sendMail(mail).catch(rethrow)
    log.info({ subject }, 'a mail was sent')
  }
}

/** Passes on codes only, because messages of mail servers repeat the address. */
function rethrow(error: unknown): never {
  const { code, responseCode, command } = error as Record<string, unknown>
  const where = [code, responseCode, command].filter((word) => /^[A-Z\d ]+$/.test(String(word)))
  throw new Error(`the mail server refused a mail: ${where.join(', ') || 'no reason given'}`)
}
