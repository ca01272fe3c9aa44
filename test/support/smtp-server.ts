import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

type ReceivedMail = { from: string; to: string[]; data: string }

export type SmtpServer = {
  url: string
  received: ReceivedMail[]
  /** every line that clients sent outside emails */
  commands: string[]
  close(): Promise<void>
}

/** A mail server (a subset of RFC 5321) that keeps all emails and rejects those to `gone@`. */
export async function openSmtpServer(listenOn = 0): Promise<SmtpServer> {
  const received: ReceivedMail[] = []
  const commands: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    serve(socket, received, commands)
  })
  server.listen(listenOn, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    commands,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function serve(socket: Socket, received: ReceivedMail[], commands: string[]): void {
  let mail: ReceivedMail = { from: '', to: [], data: '' }
  let pending = ''
  let inData = false
  const say = (line: string) => socket.write(`${line}\r\n`)
  const command = (line: string) => {
    commands.push(line)
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'QUIT') {
      say('221 bye')
      socket.end()
    } else if (verb === 'DATA') {
      inData = true
      say('354 go on')
    } else {
      if (verb === 'STAR') return say('502 5.5.1 STARTTLS is not implemented')
      if (/^RCPT TO:<gone@/.test(line)) return say(`550 5.1.1 ${line.slice(8)}: Recipient rejected`)
      if (/^RCPT TO:<relay@/.test(line)) return say('554 5.7.1 Relay access denied')
      if (verb === 'MAIL') mail = { from: line.slice(10), to: [], data: '' }
      if (verb === 'RCPT') mail.to.push(line.slice(8))
      say('250 ok')
    }
  }
  const take = (line: string) => {
    if (!inData) return command(line)
    if (line !== '.') {
      mail.data += `${line}\n`
      return
    }
    inData = false
    received.push(mail)
    say('250 taken')
  }
  say('220 test')
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (pending + chunk).split('\r\n')
    pending = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
}
