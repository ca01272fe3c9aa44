import { randomUUIDv7 } from 'node:crypto'
import { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'
import type { Db } from '../database/sql.ts'
import type { Log } from '../telemetry/log.ts'
import { insertMail } from './dev-mailbox.ts'
import type { SendMail } from './mail.ts'
import { mailTransport } from './mail.ts'

const TIMEOUT_MS = 10_000

/**
 * Sends mails by SMTP if a server is configured. Otherwise a development machine stores them for
 * `/dev/mail`, and production drops and logs them. Logs have no addresses and no texts.
 */
export function createSendMail(config: Config, db: Db, log: Log): SendMail {
  const { SMTP_URL, MAIL_FROM } = config
  if (SMTP_URL) return throughSmtp(SMTP_URL, MAIL_FROM ?? '', log)
  if (mailTransport(config) === 'none') {
    log.warn(
      'SMTP_URL is not set: mails go nowhere, so no address is verified and no password reset',
    )
    return async ({ subject }) => log.warn({ subject }, 'a mail went nowhere')
  }
  return async ({ to, subject, text }) => {
    const id = randomUUIDv7()
    await insertMail(db, { id, recipient: to, subject, body: text, at: new Date() })
    log.info({ mail_id: id, subject }, 'a mail was stored for /dev/mail')
  }
}

function throughSmtp(url: string, from: string, log: Log): SendMail {
  const { hostname, port, protocol, username, password } = new URL(url)
  const transport = createTransport({
    host: hostname,
    port: Number(port) || (protocol === 'smtps:' ? 465 : 587),
    secure: protocol === 'smtps:',
    ...(username && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
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

/** Error messages of mail servers repeat the address, so only codes are passed on. */
function rethrow(error: unknown): never {
  const { code, responseCode, command } = error as Record<string, unknown>
  const where = [code, responseCode, command].filter((word) => /^[A-Z\d ]+$/.test(String(word)))
  throw new Error(
    `the mail server did not take a mail: ${where.join(', ') || 'for no stated reason'}`,
  )
}
