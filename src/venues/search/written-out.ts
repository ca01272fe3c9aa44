import type { Lexicon } from './lexicon.ts'
import { withLongForms } from './short-forms.ts'

/** Writes out short forms, ends that add nothing, and questions that read like negations. */
export const writtenOut = (text: string, { words }: Pick<Lexicon, 'words'>): string =>
  withoutQuestions(
    withLongForms(text).replace(/\b([a-z]{5,})nya\b/g, (word, stem: string) =>
      words.has(stem) && !words.has(word) ? stem : word,
    ),
  )

const no = '(?:tidak|tak)'
const asking =
  '(?:ada|bisa|boleh|buka|punya|jual|terima|tersedia|masih|dekat|jauh|cocok|ramah|halal|luas|' +
  'bagus|enak|murah|mahal|rame|ramai|sepi|tenang|nyaman|bersih|aman)'
/** After these, "tidak" negates, even in a question. */
const negated = '(?<!(?:[,;]|\\b(?:yang|tapi|tetapi|but|asal|asalkan|jika|kalau|pokoknya|dan))\\s*)'
const closing = '\\s*(?:$|[,.?!;)]|(?:ya|yah|sih|kak|min|mas|mbak|bro|pak|bu|bang|gan)\\b)'
const about =
  '\\s+(?:di|ke|dari|untuk|buat|dekat|sekitar|sama|dengan|besok|lusa|nanti|malam|pagi|siang|sore|' +
  'hari|tanggal|tgl|jam|pukul|senin|selasa|rabu|kamis|jumat|sabtu|minggu|\\d|ber\\w+|kita|kami|' +
  'saya|aku|resto\\w*|tempat|bar|spa|gym|cafe|kafe)'
const judged = '(?!\\s+(?:terlalu|pedas|jauh|ramai|rame|mahal|berisik|pakai|ada)\\b)'

const questions = [
  '\\bkalau (?:bisa|boleh)\\b(?=\\s+\\S)',
  // "Ada tidak", "bisa tidak": the verb itself is asked.
  `(?<=\\b${asking})\\s+${no}\\b${judged}`,
  // "Kok tidak ada spa", "spa tidak ada di Kuta?"
  `(?<=\\b(?:kok|masa|masak|kenapa|emang)\\s+)${no}\\b(?=\\s+(?:ada|bisa|buka)\\b)`,
  `${negated}\\b${no}\\b(?=\\s+ada\\s+di\\b)`,
  `(?<=(?:^|[.?!])\\s*)${no}\\b(?=\\s+ada\\b[^.!]*\\?)`,
  // "Ada parkir tidak di Kemang", "murah tidak di Menteng?"
  `${negated}\\b(?:(?:atau|apa)\\s+)?${no}\\b(?=${about})(?<=\\b${asking}\\b[^.?!;]*)`,
  `${negated}\\b(?:(?:atau|apa)\\s+)?${no}\\b(?=${about}[^.!;]*\\?)`,
  `(?<!\\bkalau )\\b(?:(?:atau|apa)\\s+)?${no}\\b(?=${closing})`,
].map((pattern) => new RegExp(pattern, 'g'))

/** "If there is none in Ubud, Sanur is fine" means either. */
const otherwise = new RegExp(
  `,?\\s*\\b(?:(?:kalau|jika|bila) ${no} (?:ada|bisa|dapat)|if (?:there(?:s| is| are) )?` +
    '(?:nothing|none|not|no (?:tables?|slots?)|full)(?: available| free)?)\\b' +
    '\\s*([^,.?!]*?)(?:,\\s*(?:then\\s+)?|\\s+(?=di ))',
  'g',
)

/** "Anywhere in Bali but Seminyak" leaves Seminyak out. */
const butOne = /(?<=\b(?:any|every|all)\w*\b[^,.;?!]{1,40}) but (?!(?:not|no|in|with|for|only)\b)/g

function withoutQuestions(text: string): string {
  const either = text
    .replace(otherwise, (_, first: string) => ` ${first} atau `)
    .replace(butOne, ' except ')
  return questions.reduce((rest, question) => rest.replace(question, ' '), either)
}
