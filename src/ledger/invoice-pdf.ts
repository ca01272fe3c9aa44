import { fileURLToPath } from 'node:url'
import { money } from '../contract/rules/money.ts'
import { networkProfile } from '../contract/rules/network.ts'
import type { Invoice, InvoiceLine } from './schema/invoices.ts'

const fonts = {
  text: '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  bold: '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
}
const fileOf = (name: keyof typeof fonts) => fileURLToPath(import.meta.resolve(fonts[name]))

const INK = '#1a1d21'
const QUIET = '#5f6773'
const LINE = '#d9dde3'
const MARGIN = 48
/** A4 in points, between the margins. */
const [LEFT, RIGHT, BOTTOM] = [MARGIN, 595 - MARGIN, 842 - MARGIN - 20]

type Printed = {
  invoice: Invoice
  account: { id: string; name: string }
  lines: readonly InvoiceLine[]
  /** lines that are not printed */
  left: number
  /** the address of the network */
  site: string
}

type Doc = PDFKit.PDFDocument

/** An invoice or credit note on A4. The library is loaded with the first one. */
export async function drawInvoice(printed: Printed): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit')
  const { invoice } = printed
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    info: {
      Title: `${titleOf(invoice)} ${invoice.number}`,
      Author: networkProfile.name,
      // An invoice has the same bytes each time.
      CreationDate: new Date(invoice.issued_at),
    },
  })
  const parts: Buffer[] = []
  const done = new Promise<void>((resolve, reject) => {
    doc
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', resolve)
      .on('error', reject)
  })
  doc.registerFont('text', fileOf('text')).registerFont('bold', fileOf('bold'))
  drawHead(doc, printed)
  drawLines(doc, printed)
  drawTotals(doc, printed)
  numberPages(doc, invoice)
  doc.end()
  await done
  return Buffer.concat(parts)
}

const titleOf = ({ kind }: Invoice) => (kind === 'invoice' ? 'Invoice' : 'Credit note')
const dateOf = (instant: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(instant))
const monthOf = (month: string) =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )

function drawHead(doc: Doc, { invoice, account, site }: Printed) {
  doc.font('bold').fontSize(11).fillColor(INK).text(networkProfile.name, LEFT, MARGIN)
  doc.font('text').fontSize(9).fillColor(QUIET).text(new URL(site).host)
  doc.font('bold').fontSize(24).fillColor(INK).text(titleOf(invoice), LEFT, 100)
  if (invoice.is_test) {
    doc.font('bold').fontSize(9).fillColor(QUIET).text('TEST: no money moves', { width: 250 })
  }
  const facts = [
    ['Number', invoice.number],
    ['Issued', dateOf(invoice.issued_at)],
    ...(invoice.status === 'open' ? [['Due', dateOf(invoice.due_at)]] : []),
    ['Month', `${monthOf(invoice.month)} (UTC)`],
    ['Status', invoice.status],
  ]
  let y = 100
  for (const [name = '', value = ''] of facts) {
    doc.font('text').fontSize(9).fillColor(QUIET).text(name, 310, y, { width: 60 })
    doc.fillColor(INK).text(value, 375, y, { width: RIGHT - 375, align: 'right' })
    y += 15
  }
  doc.font('text').fontSize(9).fillColor(QUIET).text('Billed to', LEFT, 160)
  doc.font('bold').fontSize(10).fillColor(INK).text(account.name, { width: 250 })
  doc.font('text').fontSize(8).fillColor(QUIET).text(account.id)
  const due = invoice.status === 'open' ? `, due ${dateOf(invoice.due_at)}` : ''
  doc.font('bold').fontSize(16).fillColor(INK)
  doc.text(`${money(invoice.due_minor, invoice.currency)} to pay${due}`, LEFT, 220)
  doc.y = 256
}

type Column = { title: string; x: number; width: number; right?: true }
const columns = [
  { title: 'Date', x: LEFT, width: 54 },
  { title: 'For', x: 104, width: 200 },
  { title: 'Slot', x: 308, width: 86 },
  { title: 'Base', x: 396, width: 74, right: true },
  { title: 'Amount', x: 472, width: RIGHT - 472, right: true },
] satisfies Column[]

function drawRow(doc: Doc, cells: readonly string[], y: number, isHead = false) {
  doc.font('text').fontSize(8)
  for (const [index, { x, width, right }] of (columns as Column[]).entries()) {
    doc.fillColor(isHead ? QUIET : INK)
    const align = right ? 'right' : 'left'
    doc.text(cells[index] ?? '', x, y, { width, height: 9, ellipsis: true, align })
  }
}

function rule(doc: Doc, y: number) {
  doc.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.5).strokeColor(LINE).stroke()
}

function drawTableHead(doc: Doc): number {
  const y = doc.y
  drawRow(
    doc,
    columns.map(({ title }) => title),
    y,
    true,
  )
  rule(doc, y + 14)
  return y + 20
}

const whatOf = ({ description, kind, party_size, pct }: InvoiceLine) => {
  const size = party_size === null ? '' : `, ${party_size} ${party_size === 1 ? 'guest' : 'guests'}`
  const rate = pct === null ? '' : ` (${pct} %)`
  return `${kind === 'reversal' ? 'Reversed: ' : ''}${description}${size}${rate}`
}

function drawLines(doc: Doc, { lines, left }: Printed) {
  let y = drawTableHead(doc)
  for (const line of lines) {
    if (y + 26 > BOTTOM) {
      doc.addPage()
      doc.y = MARGIN
      y = drawTableHead(doc)
    }
    const base = line.base_minor === null ? '' : money(line.base_minor, line.currency)
    const slot = line.slot_time?.slice(0, 16).replace('T', ' ') ?? ''
    const cells = [line.at.slice(0, 10), whatOf(line), slot, base]
    drawRow(doc, [...cells, money(line.amount_minor, line.currency)], y)
    // A booking is quoted by the last letters of its id, as in the dashboard.
    if (line.booking_id) {
      doc
        .fontSize(6.5)
        .fillColor(QUIET)
        .text(line.booking_id, 104, y + 11, { width: 200 })
    }
    y += line.booking_id ? 26 : 18
  }
  if (left > 0) {
    doc.font('text').fontSize(8).fillColor(QUIET)
    doc.text(`${left} more lines are in the total and in the CSV of this invoice.`, LEFT, y)
    y += 18
  }
  doc.y = y
}

function drawTotals(doc: Doc, { invoice }: Printed) {
  const { currency } = invoice
  if (doc.y + 90 > BOTTOM) doc.addPage()
  let y = doc.y + 4
  rule(doc, y)
  y += 10
  const rows: [string, number][] = [
    ['Total', invoice.total_minor],
    ...(invoice.credit_minor > 0
      ? [['Paid from credit', -invoice.credit_minor] as [string, number]]
      : []),
    ...(invoice.paid_minor > invoice.credit_minor
      ? [['Paid', invoice.credit_minor - invoice.paid_minor] as [string, number]]
      : []),
    ['To pay', invoice.due_minor],
  ]
  for (const [name, minor] of rows) {
    const isLast = name === 'To pay'
    doc
      .font(isLast ? 'bold' : 'text')
      .fontSize(isLast ? 11 : 9)
      .fillColor(INK)
    doc.text(name, 308, y, { width: 90 })
    doc.text(money(minor, currency), 400, y, { width: RIGHT - 400, align: 'right' })
    y += isLast ? 20 : 16
  }
}

function numberPages(doc: Doc, { number }: Invoice) {
  const { count } = doc.bufferedPageRange()
  for (let page = 0; page < count; page += 1) {
    doc.switchToPage(page)
    doc.font('text').fontSize(7).fillColor(QUIET)
    const words = `${number}, page ${page + 1} of ${count}`
    // Below the margin, where the library would otherwise begin another page.
    doc.page.margins.bottom = 0
    doc.text(words, LEFT, 842 - 36, { width: RIGHT - LEFT, align: 'center', lineBreak: false })
  }
}
